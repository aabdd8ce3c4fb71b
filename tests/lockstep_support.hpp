// Runs that can be joined: problems bound as runs bind them by default.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/equations/formulation.hpp"
#include "core/integration/lockstep.hpp"
#include "core/integration/method.hpp"
#include "core/model/problem.hpp"
#include "tests/numeric_support.hpp"

namespace daelab {

// On index 1, by the elimination that is written out.
struct Member {
  Member(const std::string& problem_spec, const std::string& method)
      : problem(Registry<Problem>::instance().make(problem_spec, "")),
        model(problem->mechanical_model(As<double>{})),
        multipliers(multipliers_for(*model, "written-out")),
        system(Registry<Formulation>::instance().make("index-1", "")->system(*model, *multipliers)),
        stepper(Registry<Method>::instance().make(method, "")->stepper(*system, {})) {
    for (Vector<double>* x : {&state.y, &state.ydot, &state.compensation}) x->setZero(system->size());
    const Vector<double> y = model->initial_y();
    state.y.head(y.size()) = y;
    EXPECT_TRUE(system->consistent_start(state.t, state.y, state.ydot).ok());
    next = state;
  }
  LockstepStepper& lockstep_stepper() const { return dynamic_cast<LockstepStepper&>(*stepper); }

  std::shared_ptr<Problem> problem;
  std::unique_ptr<MechanicalModel<double>> model;
  std::unique_ptr<Multipliers<double>> multipliers;
  std::unique_ptr<System<double>> system;
  std::unique_ptr<Stepper<double>> stepper;
  State<double> state, next;
};
using Members = std::vector<std::unique_ptr<Member>>;

inline Members members_of(const std::vector<std::string>& problems, const std::string& method) {
  Members members;
  for (const std::string& problem : problems) members.push_back(std::make_unique<Member>(problem, method));
  return members;
}

inline std::shared_ptr<Lockstep> joined(const Members& members) {
  const auto lockstep = members.front()->lockstep_stepper().lockstep();
  for (const auto& member : members)
    if (!member->lockstep_stepper().join(lockstep)) throw std::runtime_error("a member that does not fit");
  lockstep->begin();
  return lockstep;
}

}  // namespace daelab
