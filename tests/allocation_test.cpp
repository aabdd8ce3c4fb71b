// No allocation inside a step for double.
#include <gmock/gmock.h>

#include <cstdlib>

#include "core/base/sanitizer.hpp"
#include "core/integration/method.hpp"
#include "core/integration/observers.hpp"
#include "tests/allocation_count.hpp"
#include "tests/method_support.hpp"
#include "tests/newton_support.hpp"
#include "tests/numeric_support.hpp"

namespace daelab {
namespace TEST_FILE {

#ifndef DAELAB_ADDRESS_SANITIZER
// The counter sees what it is meant to see; volatile keeps the compiler from removing the pairs.
TEST(AllocationCount, SeesEveryWayToAllocate) {
  long before = allocations();
  void* volatile block = std::malloc(8);
  std::free(block);
  EXPECT_EQ(allocations() - before, 1);
  before = allocations();
  int* volatile number = new int(3);
  delete number;
  EXPECT_EQ(allocations() - before, 1);
  before = allocations();
  volatile Index size = 100;
  Vector<double> x(size);
  x.resize(size + 1);
  EXPECT_EQ(allocations() - before, 2);
  before = allocations();
  std::string text(static_cast<std::size_t>(size), 'x');
  EXPECT_EQ(allocations() - before, 1);
}
#endif

struct Case {
  std::string name, method, formulation;
  NewtonOptions newton;
  std::string problem = "two-link-manipulator";
  double h = 1.0 / 128;
  friend void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }
};

class Step : public testing::TestWithParam<Case> {};

// Code of factors is generated after some hundred solutions, those of each order of a method by themselves. The same
// steps again allocate again, whatever else it is that does.
long once_factors_are_generated(const auto& allocations_of_steps) {
  long counted = allocations_of_steps();
  for (int again = 0; again < 8 && counted > 0; ++again) counted = allocations_of_steps();
  return counted;
}

// What is kept (forms, the matrix of the coupled stages that tells round-off) is set up when it is needed first, which
// rounding decides; the same steps again need nothing new, also across a change of the step size, which factorises
// anew.
TEST_P(Step, AllocatesNothing) {
  const Case& c = GetParam();
  const BoundProblem<double> bound(c.problem, c.formulation);
  const auto stepper = method_of(c.method)->stepper(*bound.system, c.newton);
  const double h = c.h;
  const auto take_steps = [&] {
    State<double> state = bound.start;
    state.memory = stepper->make_memory();
    State<double> next = state;
    Status status;
    const long before = allocations();
    for (int k = 0; k < 26 && status.ok(); ++k) {
      status = stepper->step(state, k < 16 ? h : h / 2, next);
      std::swap(state, next);
    }
    const long counted = allocations() - before;
    EXPECT_TRUE(status.ok()) << status.cause;
    return counted;
  };
  take_steps();
  EXPECT_EQ(once_factors_are_generated(take_steps), 0);
}

// Newmark's family; the mass of the seven-body mechanism changes.
void add_newmark_family(std::vector<Case>& list) {
  for (const char* method : {"newmark", "hht", "generalized-alpha:rescale=always"})
    for (const char* form : {"index-1", "index-3", "ggl", "stabilized-index-1"}) {
      std::string name = std::string(method).substr(0, 7) + "_" + form;
      std::erase(name, '-');
      list.push_back({name, method, form, {}});
      list.push_back({name + "_ChangingMass", method, form, {}, "seven-body", 1e-5});
      list.push_back({name + "_Redundant", method, form, {}, "rowing-boat"});
    }
}

// The start, both formulas, and a form of every kind; with error control too.
void add_bdf(std::vector<Case>& list) {
  for (const char* form : {"index-1", "index-3", "ggl", "stabilized-index-1"}) {
    std::string end = form;
    std::erase(end, '-');
    list.push_back({"Bdf_" + end, "bdf", form, {}});
    list.push_back({"BdfQuasiConstant_" + end, "bdf:formula=quasi-constant,selector=plain", form, {}});
    list.push_back({"BdfChangingMass_" + end, "bdf", form, {}, "seven-body", 1e-5});
    list.push_back({"BdfRedundant_" + end, "bdf", form, {}, "rowing-boat"});
  }
}

// Restarts after changes of the step among them.
void add_one_leg(std::vector<Case>& list) {
  for (const char* form : {"index-1", "index-2", "index-3", "ggl", "local-equivalent:A=start"}) {
    const std::string end = test_name_of(form);
    list.push_back({"OneLeg_" + end, "one-leg", form, {}});
    list.push_back({"OneLegOfBdf_" + end, "one-leg:formula=bdf,k=3", form, {}, "two-link-arm", 1e-3});
  }
}

// Forms for explicit methods, and the method of index 2; the mass of the seven-body mechanism changes.
void add_explicit_forms(std::vector<Case>& list) {
  for (const char* method : {"runge-kutta:tableau=dormand-prince", "rock4"})
    for (const char* form : {"projected", "penalty:chi=100"}) {
      const std::string name = test_name_of(std::string(form).substr(0, 7) + "_" + std::string(method).substr(0, 5));
      list.push_back({name, method, form, {}});
      list.push_back({name + "_ChangingMass", method, form, {}, "seven-body", 1e-5});
      list.push_back({name + "_Redundant", method, form, {}, "rowing-boat"});
    }
  list.push_back({"Projected_Nonholonomic", "runge-kutta", "projected", {}, "knife-edge"});
  for (const char* formula : {"hht", "bdf2"}) {
    const std::string name = std::string("TwoLoop_") + formula, method = std::string("tlismni:formula=") + formula;
    list.push_back({name, method, "index-1", {}});
    list.push_back({name + "_Redundant", method, "index-1", {}, "rowing-boat"});
    list.push_back({name + "_Nonholonomic", method, "index-1", {}, "knife-edge"});
  }
  list.push_back({"HalfExplicit", "half-explicit", "index-2", {}});
  list.push_back({"HalfExplicit_ChangingMass", "half-explicit", "index-2", {}, "seven-body", 1e-5});
  list.push_back({"Rattle_ChangingMass", "rattle", "index-3", {}, "seven-body", 1e-5});
  list.push_back({"LobattoPair", "lobatto-pair", "index-3", {}});
  list.push_back({"Composition", "composition", "index-3", {}});
  for (const char* gradient : {"decomposed", "joint", "chain-rule"}) {
    const std::string name = "DiscreteGradient_" + test_name_of(gradient),
                      method = std::string("discrete-gradient:gradient=") + gradient;
    list.push_back({name, method, "index-2", {}});
    list.push_back({name + "_ChangingMass", method, "index-3", {}, "seven-body", 1e-5});
  }
  list.push_back({"HalfExplicit_Order5", "half-explicit:order=5", "index-2", {}, "seven-body", 1e-5});
}

// Rotations and motions whose base a step moves, and R^n.
void add_lie_groups(std::vector<Case>& list) {
  for (const std::string problem :
       {"heavy-top-so3:description=so3xr3", "heavy-top-so3:description=se3", "two-link-manipulator"}) {
    for (const char* method :
         {"lie-generalized-alpha", "lie-generalized-alpha:constraints=positions,start=perturbed", "rattlie", "blie-df"})
      list.push_back({"Lie_" + test_name_of(problem + method), method, "index-3", {}, problem, 1.0 / 1024});
    for (const char* method : {"rkmk", "rkmk:retraction=cayley", "rkmk:inverse_tangent=truncated", "crouch-grossman-3"})
      list.push_back({"Lie_" + test_name_of(problem + method), method, "projected", {}, problem, 1.0 / 1024});
  }
}

// Forms in local coordinates, with the projection to the nearest point and their own way to accelerations.
void add_dense_forms(std::vector<Case>& list) {
  for (const char* method : {"runge-kutta", "radau-iia:s=3", "bdf", "generalized-alpha"})
    for (const char* form : {"null-space", "null-space:weights=mass", "coordinate-partitioning",
                             "projected:weights=identity", "udwadia-kalaba", "augmented-lagrangian", "maggi"}) {
      const std::string name = test_name_of(std::string(form) + "_" + method);
      list.push_back({name, method, form, {}});
      list.push_back({name + "_Redundant", method, form, {}, "rowing-boat"});
      list.push_back({name + "_Nonholonomic", method, form, {}, "knife-edge"});
    }
  for (const auto& [method, form] :
       {std::pair{"runge-kutta", "park-chiou:epsilon=1"}, std::pair{"radau-iia:s=3", "park-chiou:epsilon=1"},
        std::pair{"bdf", "park-chiou:epsilon=1"}, std::pair{"runge-kutta", "braun-goldfarb"},
        std::pair{"runge-kutta", "penalty-pull-back:kappa=1"}}) {
    const std::string name = test_name_of(std::string(form) + "_" + method);
    list.push_back({name, method, form, {}});
    list.push_back({name + "_Redundant", method, form, {}, "rowing-boat"});
    list.push_back({name + "_Nonholonomic", method, form, {}, "knife-edge"});
  }
}

// Ordinary differential equations, and one with an algebraic state.
void add_ode(std::vector<Case>& list) {
  list.push_back({"Ode_taylor", "taylor:order=8", "ode", {}, "van-der-pol:mu=5"});
  for (const char* method : {"radau-iia:s=3", "pade-block:r=4", "bdf", "runge-kutta:tableau=dormand-prince"}) {
    list.push_back({"Ode_" + test_name_of(method), method, "ode", {}, "van-der-pol:mu=5"});
    list.push_back({"Index1_" + test_name_of(method), method, "ode", {}, "chemical-akzo-nobel"});
  }
}

// Sparse factorisations, and the sparse multiplier solver of large mechanisms.
void add_large(std::vector<Case>& list) {
  for (const char* method : {"bdf", "radau-iia:s=3", "generalized-alpha", "newmark"})
    for (const char* form : {"index-1", "index-2", "index-3", "ggl", "stabilized-index-1"})
      list.push_back(
          {"Chain_" + test_name_of(std::string(method) + "_" + form), method, form, {}, "link-chain:links=61", 1e-3});
  list.push_back({"Chain_explicit", "runge-kutta", "index-1", {}, "link-chain:links=61", 1e-3});
  list.push_back({"Chain_projected", "runge-kutta", "projected", {}, "link-chain:links=61", 1e-3});
  for (const char* method : {"radau-iia:s=3", "bdf"})
    list.push_back({"Heat_" + test_name_of(method), method, "ode", {}, "heat-conduction:size=30", 1e-3});
}

std::vector<Case> cases() {
  std::vector<Case> list;
  const auto newton = [](const char* name, const char* jacobian, const char* guess, const char* norm = "scaled") {
    return newton_options(std::string(name) + ":jacobian=" + jacobian + ",guess=" + guess + ",norm=" + norm);
  };
  for (const char* index : {"1", "2", "3"}) {
    const std::string form = std::string("index-") + index, end = std::string("OnIndex") + index;
    const std::string block = "pade-block:r=4";
    list.push_back({"FullNewton" + end, block, form, newton("full", "every-step", "constant", "two")});
    list.push_back({"ModifiedNewton" + end, block, form, newton("modified", "every-step", "extrapolated")});
    list.push_back({"SimplifiedNewton" + end, block, form, newton("simplified", "every-step", "constant")});
    list.push_back({"ReusedJacobian" + end, block, form, newton("simplified", "reused", "extrapolated")});
    // A guess with which no iteration fails: why one did is text.
    list.push_back({"Radau" + end, "radau-iia:s=3", form, newton("automatic", "every-step", "extrapolated")});
    list.push_back({"Gauss" + end, "gauss:s=2", form, newton("automatic", "every-step", "constant")});
  }
  for (const auto& [name, method] :
       std::vector<std::pair<const char*, const char*>>{{"ExplicitRungeKutta", "runge-kutta"},
                                                        {"FirstSameAsLast", "runge-kutta:tableau=dormand-prince"},
                                                        {"SemiImplicitEuler", "semi-implicit-euler"},
                                                        {"AdamsBashforth", "adams-bashforth:k=4"},
                                                        {"AdamsPece", "adams-pece:k=4"},
                                                        {"AdamsVariable", "adams-variable:k=4"},
                                                        {"Rkc", "rkc"},
                                                        {"Rock2", "rock2"},
                                                        {"Rock4", "rock4"},
                                                        {"Extrapolation", "extrapolation"},
                                                        {"Pirk", "pirk"}}) {
    list.push_back({name, method, "index-1", {}});
    list.push_back({std::string(name) + "Redundant", method, "baumgarte", {}, "rowing-boat"});
  }
  list.push_back({"Taylor", "taylor:order=8", "index-1", {}});
  add_explicit_forms(list);
  add_lie_groups(list);
  add_dense_forms(list);
  for (const char* basis : {"qr", "gauss"})
    for (const char* projection : {"frozen", "refreshed"})
      for (const char* iteration : {"picard", "newton"})
        list.push_back(
            {std::string("LocalTrapezoidal_") + basis + "_" + projection + "_" + iteration,
             std::string("local-trapezoidal:basis=") + basis + ",projection=" + projection + ",iteration=" + iteration,
             "index-1", newton("full", "every-step", "constant", "max")});
  for (const char* index : {"1", "2", "3"})
    list.push_back({std::string("RadauRedundantOnIndex") + index, "radau-iia:s=3", std::string("index-") + index,
                    newton("automatic", "every-step", "constant"), "rowing-boat"});
  add_newmark_family(list);
  add_bdf(list);
  add_one_leg(list);
  add_ode(list);
  add_large(list);
  return list;
}
INSTANTIATE_TEST_SUITE_P(Engines, Step, testing::ValuesIn(cases()), [](const auto& info) { return info.param.name; });

// Codes that choose their steps, where their module is in this build.
TEST(PeerStep, AllocatesNothing) {
  for (const char* method : {"radau5", "radau", "daspk"})
    for (const char* form : {"index-1", "index-2", "ggl"}) {
      if (Registry<Method>::instance().missing().contains(method)) continue;
      const BoundProblem<double> bound("seven-body", form);
      const auto stepper = Registry<Method>::instance().make(method, "")->stepper(*bound.system, {});
      stepper->control({1e-6, 1e-6, 1e-4});
      State<double> state = bound.start;
      state.memory = stepper->make_memory();
      State<double> next = state;
      long before = 0;
      for (int k = 0; k < 30; ++k) {
        if (k == 2) before = allocations();
        const Status status = stepper->step_towards(state, 1.0, next);
        ASSERT_TRUE(status.ok()) << status.cause;
        std::swap(state, next);
      }
      EXPECT_EQ(allocations() - before, 0) << method << " on " << form;
    }
}

// With error control, estimate and verdict included; the method chooses its steps.
class ControlledStep : public testing::TestWithParam<Case> {};
TEST_P(ControlledStep, AllocatesNothing) {
  const Case& c = GetParam();
  const BoundProblem<double> bound(c.problem, c.formulation);
  const auto take_steps = [&] {
    const auto stepper = Registry<Method>::instance().make(c.method, "")->stepper(*bound.system, c.newton);
    stepper->control({1e-6, 1e-6, 1e-4});
    State<double> state = bound.start;
    state.memory = stepper->make_memory();
    State<double> next = state;
    double h = c.h / 8;
    long before = 0;
    Status status;
    for (int attempt = 0; attempt < 30; ++attempt) {
      if (attempt == 2) before = allocations();
      status = stepper->step(state, h, next);
      if (!status.ok()) break;
      const StepDecision<double> verdict = stepper->judge(state, h, next, 0);
      h = verdict.h;
      if (verdict.accepted) std::swap(state, next);
    }
    const long counted = allocations() - before;
    EXPECT_TRUE(status.ok()) << status.cause;
    return counted;
  };
  EXPECT_EQ(once_factors_are_generated(take_steps), 0);
}
void add_runge_kutta(std::vector<Case>& list) {
  for (const char* form : {"index-1", "index-2", "index-3", "ggl"}) {
    std::string end = form;
    std::erase(end, '-');
    list.push_back({"Radau_" + end, "radau-iia:s=3", form, {}});
    list.push_back({"RadauOfChangingOrder_" + end, "radau-iia:s=auto", form, {}});
    list.push_back({"PadeBlockOfChangingOrder_" + end, "pade-block:r=auto", form, {}});
    list.push_back({"PadeBlock_" + end, "pade-block:r=4", form, {}});
    list.push_back({"RadauChangingMass_" + end, "radau-iia:s=3", form, {}, "seven-body", 1e-5});
  }
  list.push_back({"DormandPrince", "runge-kutta:tableau=dormand-prince", "index-1", {}});
  list.push_back({"TwoLoop", "tlismni", "index-1", {}});
  list.push_back({"Rkc", "rkc", "index-1", {}});
  list.push_back({"Rock4", "rock4", "index-1", {}});
  list.push_back({"Extrapolation", "extrapolation", "index-1", {}});
  list.push_back({"Taylor", "taylor", "index-1", {}});
  list.push_back({"TaylorOfSevenBody", "taylor", "index-1", {}, "seven-body", 1e-5});
  list.push_back({"ProjectedDormandPrince", "runge-kutta:tableau=dormand-prince", "projected", {}, "seven-body", 1e-5});
  list.push_back({"PenaltyRkc", "rkc", "penalty:chi=100", {}});
}
std::vector<Case> controlled_cases() {
  std::vector<Case> list;
  add_bdf(list);
  add_ode(list);
  add_runge_kutta(list);
  for (const char* form : {"index3", "ggl"}) {
    const std::string spec = form == std::string("ggl") ? "ggl" : "index-3";
    list.push_back({std::string("GeneralizedAlpha_") + form, "generalized-alpha", spec, {}});
    list.push_back({std::string("StrongDamping_") + form, "generalized-alpha:rho=0", spec, {}});
    list.push_back({std::string("HhtChangingMass_") + form, "hht", spec, {}, "seven-body", 1e-5});
  }
  return list;
}
INSTANTIATE_TEST_SUITE_P(Engines, ControlledStep, testing::ValuesIn(controlled_cases()),
                         [](const auto& info) { return info.param.name; });

// Drift is measured after every step of every run, so it is part of the inner loop.
TEST(DriftObserver, AllocatesNothing) {
  const BoundProblem<double> two_link("two-link-manipulator", "index-1");
  DriftObserver<double> drift(*two_link.model);
  drift.start(two_link.start);
  const long before = allocations();
  drift.step(two_link.start, two_link.start);
  EXPECT_EQ(allocations() - before, 0);
}

}  // namespace TEST_FILE
}  // namespace daelab
