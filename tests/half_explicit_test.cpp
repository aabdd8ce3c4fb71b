// Half-explicit Runge-Kutta methods on index 2: observed orders, error control, constraints, refusals.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "core/integration/integrate.hpp"
#include "tests/constrained_motion.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;

std::string half_explicit(int order) { return fmt::format("half-explicit:order={}", order); }

// Velocities of the step end solve the last linear system: their constraints are at round-off; positions take up one
// local error a step. On the mechanisms C_q v is of the size of v, 1 to 1000.
TEST(HalfExplicit, KeepsVelocitiesOnTheConstraints) {
  for (const auto& [problem, order, h, scale] :
       {std::tuple{"pendulum", 4, 0.02, 10.0}, std::tuple{"seven-body", 4, 1e-5, 100.0},
        std::tuple{"driven-crank", 4, 0.005, 100.0}, std::tuple{"car-axis", 4, 1e-3, 10.0},
        std::tuple{"seven-body", 5, 1e-5, 100.0}, std::tuple{"car-axis", 5, 1e-3, 10.0}}) {
    SCOPED_TRACE(fmt::format("{} {}", problem, order));
    const BoundProblem<double> bound(problem, "index-2");
    const auto stepper = Registry<Method>::instance().make(half_explicit(order), "")->stepper(*bound.system, {});
    State<double> state = bound.start, next = state;
    Vector<double> rate(bound.layout.m);
    double most = 0;
    for (int k = 0; k < 100; ++k) {
      ASSERT_TRUE(stepper->step(state, h, next).ok());
      std::swap(state, next);
      const Vector<double> q = bound.layout.q(state.y), v = bound.layout.v(state.y);
      bound.model->constraint_level(Level::velocity, state.t, q, v, v, rate);
      most = std::max(most, largest(rate));
    }
    EXPECT_LT(most, scale * 1e-14);
  }
}

// Without constraints nothing is implicit: the tableau as it is.
// Bounds are round-off of 50 steps: measured 0.
TEST(HalfExplicit, IsTheTableauWithoutConstraints) {
  const ConstrainedMotion half = march<double>("oscillator-chain", "index-2", half_explicit(2), 1.0, 50);
  const ConstrainedMotion midpoint =
      march<double>("oscillator-chain", "index-2", "runge-kutta:tableau=explicit-midpoint", 1.0, 50);
  EXPECT_LT(largest(half.q - midpoint.q), 1e-14);
  EXPECT_LT(largest(half.v - midpoint.v), 1e-13);
}

TEST(HalfExplicit, SaysWhatItIsFor) {
  const auto refusal = [](const char* problem, const char* formulation) {
    const BoundProblem<double> bound(problem, formulation);
    try {
      Registry<Method>::instance().make("half-explicit", "")->stepper(*bound.system, {});
    } catch (const NotApplicable& reason) {
      return std::string(reason.what());
    }
    return std::string("accepted");
  };
  for (const char* formulation :
       {"index-1", "index-3", "ggl", "baumgarte", "projected", "penalty", "stabilized-index-1"})
    EXPECT_THAT(refusal("pendulum", formulation), HasSubstr("use the index-2 formulation")) << formulation;
  EXPECT_THAT(refusal("knife-edge", "index-2"), HasSubstr("holonomic"));
  EXPECT_THAT(refusal("van-der-pol", "ode"), HasSubstr("mechanical system"));
  EXPECT_EQ(Registry<Method>::instance().make("half-explicit", "")->natural_level(), Level::velocity);
}

// Of stages, of the step end and, where there is one, of what the estimate reads at the start: none.
TEST(HalfExplicit, TakesAsManySystemsAsItHasImplicitStagesAndOneAtTheEnd) {
  const BoundProblem<double> bound("pendulum", "index-2");
  for (const auto& [order, systems] : {std::pair{1, 2}, {2, 3}, {3, 4}, {4, 6}, {5, 6}}) {
    const auto stepper = Registry<Method>::instance().make(half_explicit(order), "")->stepper(*bound.system, {});
    stepper->control({1e-3, 1e-3, 1e-3});
    State<double> next = bound.start;
    ASSERT_TRUE(stepper->step(bound.start, 0.01, next).ok());
    stepper->judge(bound.start, 0.01, next, 0);
    EXPECT_EQ(stepper->statistics().residuals, systems) << order;
    EXPECT_EQ(stepper->statistics().factorizations, systems) << order;
  }
}

// The estimate of one step over three sizes, each half the one before: h^(embedded order + 1), of order 1 h^2.
// Bound: what h^(e+1) adds to the slope, measured 0.1 at most.
TEST(HalfExplicit, EstimatesGrowWithTheStepAsTheySay) {
  const BoundProblem<double> bound("two-link-manipulator", "index-2");
  for (const auto& [order, h, exponent] :
       {std::tuple{1, 4e-4, 2}, {2, 4e-4, 2}, {3, 1e-3, 3}, {4, 2e-3, 4}, {5, 4e-3, 5}}) {
    const auto stepper = Registry<Method>::instance().make(half_explicit(order), "")->stepper(*bound.system, {});
    stepper->control({1e-6, 1e-6, 1e-6});
    std::vector<OrderPoint> points;
    for (const double size : {h, h / 2, h / 4}) {
      State<double> next = bound.start;
      ASSERT_TRUE(stepper->step(bound.start, size, next).ok());
      const StepDecision<double> decision = stepper->judge(bound.start, size, next, 0);
      EXPECT_EQ(decision.exponent, exponent);
      EXPECT_EQ(decision.order, order);
      points.push_back(order_point(size, decision.error));
    }
    EXPECT_NEAR(estimate_order(points).order, exponent, 0.2) << order;
  }
}

// The tolerance is what a step may err; the mechanism amplifies it over its turns. Bounds: q within 100 times the
// tolerance, as projected Dormand-Prince is; slope 1 - 1/e - 0.1, as in runge_kutta_control_test.cpp.
TEST(HalfExplicit, ErrorsFollowTheToleranceOnTheSevenBodyMechanism) {
  const BoundProblem<double> bound("seven-body", "index-2");
  const Vector<double> exact = known_motion("seven-body", Real50("0.03")).q.cast<double>();
  for (const int order : {3, 4, 5}) {
    std::vector<double> errors;
    for (const double tolerance : {1e-5, 1e-7, 1e-9}) {
      const auto stepper = Registry<Method>::instance().make(half_explicit(order), "")->stepper(*bound.system, {});
      stepper->control({tolerance, tolerance, tolerance});
      State<double> state = bound.start;
      ASSERT_TRUE(integrate_adaptive<double>(*stepper, state, 0.03, 0, {}).ok());
      errors.push_back(largest(Vector<double>(bound.layout.q(state.y) - exact)));
      EXPECT_LT(errors.back(), 100 * tolerance) << order;
      EXPECT_THAT(stepper->warnings(), testing::IsEmpty());
    }
    EXPECT_GT(std::log10(errors.front() / errors.back()) / 4, 1 - 1.0 / order - 0.1) << order;
  }
}

// Runs record this as not-applicable.
TEST(HalfExplicit, RefusesConstraintsThatAreRedundantAtTheStart) {
  const BoundProblem<double> bound("rowing-boat", "index-2");
  try {
    Registry<Method>::instance().make("half-explicit", "")->stepper(*bound.system, {});
    FAIL();
  } catch (const NotApplicable& reason) {
    EXPECT_THAT(reason.what(), HasSubstr("C_q has rank 4 of 6"));
  }
}

// Steps of the pendulum to its pivot, where C_q = 0.
TEST(HalfExplicit, FailsWithAStatusWhereConstraintsBecomeDependent) {
  const BoundProblem<double> bound("pendulum", "index-2");
  const auto stepper = Registry<Method>::instance().make("half-explicit", "")->stepper(*bound.system, {});
  State<double> pivot = bound.start, next = pivot;
  pivot.y.head(bound.layout.n).setZero();
  pivot.y.segment(bound.layout.n, bound.layout.n).setZero();
  const Status status = stepper->step(pivot, 0.01, next);
  EXPECT_EQ(status.code, StatusCode::singular);
  EXPECT_THAT(status.cause, HasSubstr("dependent constraints"));
  stepper->control({1e-6, 1e-6, 1e-6});
  const Status controlled = integrate_adaptive<double>(*stepper, pivot, 1, 0, {});
  EXPECT_EQ(controlled.code, StatusCode::step_too_small);
  EXPECT_THAT(controlled.cause, HasSubstr("dependent constraints"));
}

#ifndef DAELAB_DOUBLE_ONLY
// What only engines and models in 50 digits can show.

// q, v, a and lambda, on two mechanisms; the manipulator has no symmetry that could raise an order.
// Terms of order 5 and 6 in lambda of the pendulum cancel near 128 steps, so that order 5 shows from 1024 on.
// Bound: orders estimated from three steps, each half the one before.
TEST(HalfExplicit, HasItsOrderInAllComponents) {
  for (const auto& [order, counts] :
       {std::pair{1, std::vector<int>{1024, 2048, 4096}}, std::pair{2, std::vector<int>{256, 512, 1024}},
        std::pair{3, std::vector<int>{256, 512, 1024}}, std::pair{4, std::vector<int>{128, 256, 512}},
        std::pair{5, std::vector<int>{1024, 2048, 4096}}})
    for (const auto& [problem, end] : {std::pair{"pendulum", 1.0}, std::pair{"two-link-manipulator", 0.25}}) {
      const PerComponent orders =
          observed_orders<Real50>(problem, "index-2", half_explicit(order), Real50(end), counts);
      for (std::size_t i = 0; i < 4; ++i)
        EXPECT_NEAR(orders[i], order, 0.15) << half_explicit(order) << " on " << problem << ", component " << i;
    }
}

// Constraints of the closed loops are not quadratic in the coordinates here.
// Bound: orders estimated from three steps, each half the one before.
TEST(HalfExplicit, HasItsOrderOnTheSevenBodyMechanism) {
  for (const int order : {4, 5}) {
    const PerComponent orders = observed_orders<Real50>("seven-body", "index-2", half_explicit(order),
                                                        Real50(1) / Real50(200), {200, 400, 800});
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(orders[i], order, 0.15) << order << ", component " << i;
  }
}

// Constraints that depend on time: the car axis against a method of another kind.
// Bound: orders estimated from three steps, each half the one before.
TEST(HalfExplicit, HasItsOrderUnderMovingConstraints) {
  using T = Real50;
  const T end = T(1) / T(10);
  const ConstrainedMotion exact = march<T>("car-axis", "index-1", "gauss:s=5", end, 100);
  for (int order = 2; order <= 5; ++order) {
    std::array<std::vector<OrderPoint>, 4> points;
    for (const int count : {100, 200, 400}) {
      const PerComponent e = errors_of(march<T>("car-axis", "index-2", half_explicit(order), end, count), exact);
      for (std::size_t i = 0; i < 4; ++i) points[i].push_back(order_point(1.0 / count, e[i]));
    }
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(estimate_order(points[i]).order, order, 0.2) << order << ", " << i;
  }
}

// Bound: as above.
TEST(HalfExplicit, DriftsInPositionsWithItsOrder) {
  using T = Real50;
  for (int order = 2; order <= 5; ++order) {
    std::vector<OrderPoint> points;
    for (const int count : {64, 128, 256}) {
      const ConstrainedMotion end = march<T>("pendulum", "index-2", half_explicit(order), T(1) / T(2), count);
      points.push_back(order_point(1.0 / count, static_cast<double>(abs(T(end.q.squaredNorm() - T(1))))));
    }
    EXPECT_GE(estimate_order(points).order, order - 0.15) << order;
  }
}

#endif

}  // namespace TEST_FILE
}  // namespace daelab
