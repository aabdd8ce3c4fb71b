// Modified equations of motion: virtual impulse and force that remove violations within a step.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "core/integration/integrate.hpp"
#include "tests/drift_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

// On the constraints both corrections vanish.
TEST(BraunGoldfarb, HasTheSlopeOfIndexOneOnTheConstraints) {
  for (const char* problem : {"pendulum", "seven-body", "bricard", "rowing-boat", "knife-edge"}) {
    const BoundProblem<double> bound(problem, "braun-goldfarb"), index_1(problem, "index-1");
    // Solvers differ by round-off times the condition of J M^-1 J^T, 1e6 at most here.
    EXPECT_LT(largest(bound.start.ydot - index_1.start.ydot), 1e-10 * (1 + largest(index_1.start.ydot))) << problem;
  }
}

// A linear constraint, q1 = q2: Euler's step removes a violation of position and of velocity; with a gain of one half,
// half of it.
TEST(BraunGoldfarb, AStepOfEulerRemovesTheViolation) {
  for (const double gain : {1.0, 0.5}) {
    const auto model = recorded_model<double>([](Recording& r) {
      r.coordinates(2);
      r.start_q = {1, 1}, r.start_v = {2, 2};
      r.mass(0, 0) = 1, r.mass(1, 1) = 3;
      r.constraints = {r.q[0] - r.q[1]};
    });
    const auto multipliers = multipliers_for<double>(*model);
    const auto system = Registry<Formulation>::instance()
                            .make(fmt::format("braun-goldfarb:gain={}", gain), "")
                            ->system(*model, *multipliers);
    const double h = 0.1;
    Vector<double> y = Vector<double>::Zero(5), ydot = y;
    y << 1.01, 1, 2, 1.9, 0;
    ASSERT_TRUE(system->start_step(0.0, h, y).ok());
    ASSERT_TRUE(system->consistent_derivatives(0.0, y, ydot).ok());
    const Vector<double> end = y + h * ydot;
    EXPECT_NEAR(end[0] - end[1], (1 - gain) * 0.01, 1e-15);
    EXPECT_NEAR(end[2] - end[3], (1 - gain) * 0.1, 1e-15);
    // Momentum is what constraints leave alone: impulse and force are along C_q.
    EXPECT_NEAR(end[2] + 3 * end[3], 2 + 3 * 1.9, 1e-14);
  }
}

// Stages of Runge-Kutta methods are off the constraints by h^2, which the rate 1/h brings into the step, and by h into
// accelerations and multipliers; formulas of past slopes keep their order where they are stable for -gain/h.
TEST(BraunGoldfarb, HasOrderTwoOfRungeKuttaMethodsAndThatOfMultistepOnes) {
  struct Case {
    const char *form, *method;
    double motion, forces;
  };
  for (const Case& c :
       {Case{"braun-goldfarb", "runge-kutta:tableau=explicit-euler", 1, 1},
        Case{"braun-goldfarb", "runge-kutta:tableau=heun", 2, 1}, Case{"braun-goldfarb", "runge-kutta", 2, 1},
        Case{"braun-goldfarb", "runge-kutta:tableau=dormand-prince", 2, 1},
        Case{"braun-goldfarb:gain=1/2", "adams-bashforth:k=2", 2, 2},
        Case{"braun-goldfarb:gain=1/4", "adams-bashforth:k=3", 3, 3}}) {
    const PerComponent orders = observed_orders<double>("pendulum", c.form, c.method, 1.0, {200, 400, 800, 1600});
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(orders[i], i < 2 ? c.motion : c.forces, 0.3) << c.method << i;
  }
}

// Violations stay as large as what a step adds, where index 1 collects them: 21 swings against 1.
TEST(BraunGoldfarb, DoesNotDrift) {
  const auto after = [](const char* form, double end) {
    return drift({"pendulum", form, "runge-kutta", 0.02, end}).position;
  };
  EXPECT_LT(after("braun-goldfarb", 50), 1.5 * after("braun-goldfarb", 2.5));
  EXPECT_GT(after("udwadia-kalaba", 50), 10 * after("udwadia-kalaba", 2.5));
}

// What a step adds is as large as h^2 and more, a quarter for half the step.
TEST(BraunGoldfarb, TakesRedundantConstraints) {
  for (const char* problem : {"bricard", "rowing-boat"}) {
    const double coarse = drift({problem, "braun-goldfarb", "runge-kutta", 0.01, 0.3}).position,
                 fine = drift({problem, "braun-goldfarb", "runge-kutta", 0.005, 0.3}).position;
    EXPECT_LT(fine, 0.3 * coarse) << problem;
  }
}

TEST(BraunGoldfarb, IsForExplicitMethods) {
  const BoundProblem<double> bound("pendulum", "braun-goldfarb");
  for (const char* method : {"radau-iia:s=2", "bdf", "generalized-alpha"})
    EXPECT_THAT([&] { Registry<Method>::instance().make(method, "")->stepper(*bound.system, {}); },
                ThrowsMessage<NotApplicable>(HasSubstr("for explicit methods")))
        << method;
  EXPECT_THAT([] { Registry<Formulation>::instance().make("braun-goldfarb:gain=0", "/formulation"); },
              ThrowsMessage<InputError>(AllOf(HasSubstr("/formulation/gain"), HasSubstr("above 0"))));
}

// The interval of Adams-Bashforth of order 4 on the negative axis is 0.3 long.
TEST(BraunGoldfarb, FailsWithAStatusWhereTheMethodIsUnstable) {
  const BoundProblem<double> bound("pendulum", "braun-goldfarb");
  const auto stepper = Registry<Method>::instance().make("adams-bashforth:k=4", "")->stepper(*bound.system, {});
  State<double> state = bound.start;
  state.memory = stepper->make_memory();
  EXPECT_FALSE(integrate<double>(*stepper, state, 10.0, 0.01, {}).ok());
}

#ifndef DAELAB_DOUBLE_ONLY
TEST(BraunGoldfarb, HasOrderTwoInFiftyDigits) {
  const PerComponent orders =
      observed_orders<Real50>("pendulum", "braun-goldfarb", "runge-kutta", Real50(1), {200, 400, 800});
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(orders[i], i < 2 ? 2 : 1, 0.2) << i;  // the next term
}
#endif

}  // namespace TEST_FILE
}  // namespace daelab
