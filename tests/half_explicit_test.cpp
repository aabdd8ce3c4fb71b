// Half-explicit Runge-Kutta methods on index 2: order conditions, observed orders, constraints, refusals.
//
// [BH93] Brasey, Hairer, Half-explicit Runge-Kutta methods for differential-algebraic systems of index 2,
//        SIAM J. Numer. Anal. 30(2), 1993, 538-552.
// [HW96] Hairer, Wanner, Solving Ordinary Differential Equations II, 2nd ed., Springer, 1996, Sec. VII.6.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "analysis/order_conditions.hpp"
#include "core/integration/integrate.hpp"
#include "tests/constrained_motion.hpp"

namespace daelab {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

std::string half_explicit(int order) { return fmt::format("half-explicit:order={}", order); }

// Beside the conditions of ordinary differential equations there are conditions from the multipliers of the
// stages: with w = (a_(i+1,j))^-1, d_i = sum_j w_ij c_(j+1)^2 stands for 2 c_i, sum_j w_ij c_(j+1)^3 for 3 c_i^2.
// Order 3: sum b_i c_i d_i = 2/3; of those of order 4: sum b_i c_i^2 d_i = 1/2, sum b_i a_ij c_j d_j = 1/6,
// sum b_i c_i w_ij c_(j+1)^3 = 3/4. [BH93, Sec. 2; HW96, Sec. VII.6]
// Bound: rounding of 100 digits, with three digits for the sums.
TEST(HalfExplicit, TableausMeetTheOrderConditions) {
  for (int order = 1; order <= 4; ++order) {
    SCOPED_TRACE(order);
    const Tableau t = std::get<Tableau>(Registry<Method>::instance().make(half_explicit(order), "")->form());
    EXPECT_EQ(order_report(t).order, order);
    if (order < 3) continue;
    const Index s = t.stages();
    Matrix<Real100> shifted = Matrix<Real100>::Zero(s, s);
    shifted.topRows(s - 1) = t.A.bottomRows(s - 1);
    shifted.row(s - 1) = t.b.transpose();
    const auto solved = [&](int power) {
      Vector<Real100> d(s);
      for (Index i = 0; i < s; ++i) {
        d[i] = i + 1 < s ? Real100(pow(t.c[i + 1], power)) : Real100(1);
        for (Index j = 0; j < i; ++j) d[i] -= shifted(i, j) * d[j];
        d[i] /= shifted(i, i);
      }
      return d;
    };
    const Vector<Real100> d = solved(2), cubic = solved(3);
    Real100 third = 0, weighted = 0, nested = 0, cubed = 0;
    for (Index i = 0; i < s; ++i) {
      third += t.b[i] * t.c[i] * d[i];
      weighted += t.b[i] * t.c[i] * t.c[i] * d[i];
      cubed += t.b[i] * t.c[i] * cubic[i];
      for (Index j = 0; j < i; ++j) nested += t.b[i] * t.A(i, j) * t.c[j] * d[j];
    }
    EXPECT_LT(abs(third - Real100(2) / 3), Real100("1e-97"));
    if (order < 4) continue;
    EXPECT_LT(abs(weighted - Real100(1) / 2), Real100("1e-97"));
    EXPECT_LT(abs(nested - Real100(1) / 6), Real100("1e-97"));
    EXPECT_LT(abs(cubed - Real100(3) / 4), Real100("1e-97"));
  }
}

// Velocities of the step end solve the last linear system: their constraints are at round-off; positions take up one
// local error a step. On the mechanisms C_q v is of the size of v, 1 to 1000.
TEST(HalfExplicit, KeepsVelocitiesOnTheConstraints) {
  for (const auto& [problem, h, steps, scale] :
       {std::tuple{"pendulum", 0.02, 100, 10.0}, std::tuple{"seven-body", 1e-5, 100, 100.0},
        std::tuple{"driven-crank", 0.005, 100, 100.0}, std::tuple{"car-axis", 1e-3, 100, 10.0}}) {
    SCOPED_TRACE(problem);
    const BoundProblem<double> bound(problem, "index-2");
    const auto stepper = Registry<Method>::instance().make("half-explicit", "")->stepper(*bound.system, {});
    State<double> state = bound.start, next = state;
    Vector<double> rate(bound.layout.m);
    double most = 0;
    for (int k = 0; k < steps; ++k) {
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
  const BoundProblem<double> bound("pendulum", "index-2");
  EXPECT_THAT(
      [&] {
        Registry<Method>::instance().make("half-explicit", "")->stepper(*bound.system, {})->control({1e-6, 1e-6, 1e-6});
      },
      ThrowsMessage<NotApplicable>(HasSubstr("fixed steps only")));
}

TEST(HalfExplicit, FailsWithAStatusOnRedundantConstraints) {
  const BoundProblem<double> bound("rowing-boat", "index-2");
  const auto stepper = Registry<Method>::instance().make("half-explicit", "")->stepper(*bound.system, {});
  State<double> next = bound.start;
  const Status status = stepper->step(bound.start, 0.01, next);
  EXPECT_EQ(status.code, StatusCode::singular);
  EXPECT_THAT(status.cause, HasSubstr("dependent constraints"));
}

#ifndef DAELAB_DOUBLE_ONLY
// What only engines and models in 50 digits can show.

// q, v, a and lambda, on two mechanisms; the manipulator has no symmetry that could raise an order.
// Bound: orders estimated from three steps, each half the one before.
TEST(HalfExplicit, HasItsOrderInAllComponents) {
  for (const auto& [order, counts] :
       {std::pair{1, std::vector<int>{1024, 2048, 4096}}, std::pair{2, std::vector<int>{256, 512, 1024}},
        std::pair{3, std::vector<int>{256, 512, 1024}}, std::pair{4, std::vector<int>{128, 256, 512}}})
    for (const auto& [problem, end] : {std::pair{"pendulum", 1.0}, std::pair{"two-link-manipulator", 0.25}}) {
      const PerComponent orders =
          observed_orders<Real50>(problem, "index-2", half_explicit(order), Real50(end), counts);
      for (std::size_t i = 0; i < 4; ++i)
        EXPECT_NEAR(orders[i], order, 0.15) << half_explicit(order) << " on " << problem << ", component " << i;
    }
}

// Constraints that depend on time: the car axis against a method of another kind.
// Bound: orders estimated from three steps, each half the one before.
TEST(HalfExplicit, HasItsOrderUnderMovingConstraints) {
  using T = Real50;
  const T end = T(1) / T(10);
  const ConstrainedMotion exact = march<T>("car-axis", "index-1", "gauss:s=5", end, 100);
  for (int order = 2; order <= 4; ++order) {
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
  for (int order = 2; order <= 4; ++order) {
    std::vector<OrderPoint> points;
    for (const int count : {64, 128, 256}) {
      const ConstrainedMotion end = march<T>("pendulum", "index-2", half_explicit(order), T(1) / T(2), count);
      points.push_back(order_point(1.0 / count, static_cast<double>(abs(T(end.q.squaredNorm() - T(1))))));
    }
    EXPECT_GE(estimate_order(points).order, order - 0.15) << order;
  }
}

#endif

}  // namespace
}  // namespace daelab
