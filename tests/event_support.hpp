// Runs of models made for tests, with their events watched.
#pragma once

#include <gmock/gmock.h>

#include "core/integration/integrate.hpp"
#include "core/integration/method.hpp"
#include "tests/numeric_support.hpp"

namespace daelab {

// Methods that are data, as the registry has them without their files.
inline constexpr const char* dormand_prince = "runge-kutta:tableau=dormand-prince";
inline constexpr const char* verner_87 = "runge-kutta:tableau=verner-87";
inline constexpr const char* rk4_classical = "runge-kutta:tableau=rk4-classical";
inline constexpr const char* heun = "runge-kutta:tableau=heun";

/// All that the registry has, and some that are data.
inline std::vector<std::string> registered_methods() {
  std::vector<std::string> list = Registry<Method>::instance().names();
  for (const char* tableau : {dormand_prince, verner_87, rk4_classical, heun}) list.push_back(tableau);
  return list;
}

/// Fixed steps h, or error control with rtol for all tolerances.
struct StepChoiceOf {
  double h = 0, rtol = 0;
};
inline StepChoiceOf fixed(double h) { return {h, 0}; }
inline StepChoiceOf controlled(double rtol) { return {0, rtol}; }

template <class T>
struct WatchedRun {
  Status status;
  std::vector<EventTally<T>> kinds;
  std::vector<Occurrence<T>> events;
  State<T> end;
  Statistics statistics;

  std::vector<double> times(Index event = 0) const {
    std::vector<double> list;
    for (const Occurrence<T>& occurrence : events)
      if (occurrence.event == event) list.push_back(static_cast<double>(occurrence.t));
    return list;
  }
};

/// From the start of the model; `watching` false: as if it had no events.
template <class T>
WatchedRun<T> watched_run(const Record& record, const std::string& method, const std::string& formulation,
                          const T& t_end, StepChoiceOf steps, bool watching = true) {
  const auto owned = make_model<T>(record_problem(record));
  Model<T>& model = *owned;
  const MechanicalLayout layout = layout_of(model);
  const auto multipliers =
      Registry<MultiplierSolver>::instance().make("schur-cholesky", "")->bind(As<T>{}, layout.n, layout.m);
  const auto system = Registry<Formulation>::instance().make(formulation, "")->system(model, *multipliers);
  const Vector<T> start = model.initial_y();
  WatchedRun<T> run;
  State<T>& state = run.end;
  state.y.setZero(system->size()), state.ydot.setZero(system->size()), state.compensation.setZero(system->size());
  state.y.head(start.size()) = start;
  EXPECT_TRUE(system->consistent_derivatives(state.t, state.y, state.ydot).ok());
  const auto stepper = Registry<Method>::instance().make(method, "")->stepper(*system, {});
  if (steps.rtol > 0) stepper->control({T(steps.rtol), T(steps.rtol), T(steps.rtol)});
  EventWatch<T> watch(model, *system, *stepper, t_end);
  Interruptions<T> interruptions;
  if (watching) interruptions.watch = &watch;
  run.status = steps.rtol > 0 ? integrate_adaptive<T>(*stepper, state, t_end, T(0), {}, &interruptions)
                              : integrate<T>(*stepper, state, t_end, T(steps.h), {}, &interruptions);
  run.kinds = watch.tallies(), run.events = watch.occurrences(), run.statistics = stepper->statistics();
  return run;
}

/// One coordinate x, unit mass, no constraints: x'' = -stiffness x - gravity, from rest at 1; `record_events` adds what
/// happens to it.
inline Record one_mass(const Exact& stiffness, const Exact& gravity, const Record& record_events) {
  return [=](Recording& r) {
    r.coordinates({"x"});
    r.start_q = {1};
    r.mass(0, 0) = 1;
    r.force[0] = -(stiffness * r.q[0]) - gravity;
    record_events(r);
  };
}

/// cos(t).
inline Record oscillator(const Record& record_events) { return one_mass(1, 0, record_events); }

}  // namespace daelab
