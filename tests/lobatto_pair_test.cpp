// RATTLE, SHAKE and Lobatto IIIA-IIIB pairs: coefficients, orders, both constraint levels, symmetry, energy, refusals.
//
// [Jay96] Jay, SIAM J. Numer. Anal. 33(1), 1996, 368-387.
#include "methods/geometric/lobatto_pair_stepper.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "core/integration/integrate.hpp"
#include "tests/constrained_motion.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;

// [Jay96] of three stages, and b_i â_ij + b_j a_ji = b_i b_j, which makes a pair symplectic.
TEST(LobattoPair, HasTheCoefficientsOfItsSource) {
  const LobattoPair three = lobatto_pair(3);
  Matrix<Real100> A(3, 3), conjugate(3, 3);
  A << 0, 0, 0, 5, 8, -1, 4, 16, 4;
  conjugate << 4, -4, 0, 4, 8, 0, 4, 20, 0;
  EXPECT_LT(largest(three.A - A / Real100(24)), 1e-90);
  EXPECT_LT(largest(three.conjugate - conjugate / Real100(24)), 1e-90);
  for (int s = 2; s <= 6; ++s) {
    const LobattoPair pair = lobatto_pair(s);
    for (Index i = 0; i < s; ++i)
      for (Index j = 0; j < s; ++j)
        EXPECT_LT(abs(pair.b[i] * pair.conjugate(i, j) + pair.b[j] * pair.A(j, i) - pair.b[i] * pair.b[j]),
                  Real100("1e-90"));
  }
}

// Round-off of q, and of the velocities that multiply C_q, in units of their sizes.
TEST(LobattoPair, KeepsBothLevelsOfTheConstraints) {
  for (const auto& [problem, h, scale] :
       {std::tuple{"pendulum", 0.02, 10.0}, std::tuple{"two-link-manipulator", 1e-3, 10.0},
        std::tuple{"slider-crank", 1e-5, 100.0}, std::tuple{"seven-body", 1e-5, 1000.0},
        std::tuple{"car-axis", 1e-3, 10.0}})
    for (const char* method : {"rattle", "lobatto-pair:s=3"}) {
      SCOPED_TRACE(fmt::format("{} {}", problem, method));
      const BoundProblem<double> bound(problem, "index-3");
      const auto stepper = stepper_of(method, bound);
      State<double> state = bound.start, next = state;
      Vector<double> defect(bound.layout.m);
      double position = 0, velocity = 0;
      for (int k = 0; k < 100; ++k) {
        const Status status = stepper->step(state, h, next);
        ASSERT_TRUE(status.ok()) << status.cause;
        std::swap(state, next);
        const Vector<double> q = bound.layout.q(state.y), v = bound.layout.v(state.y);
        bound.model->constraint_level(Level::position, state.t, q, v, v, defect);
        position = std::max(position, largest(defect));
        bound.model->constraint_level(Level::velocity, state.t, q, v, v, defect);
        velocity = std::max(velocity, largest(defect));
      }
      EXPECT_LT(position, 1e-14);
      EXPECT_LT(velocity, scale * 1e-14);
    }
}

// A step of h and one of -h: round-off of positions, and 1/h times it in velocities.
TEST(LobattoPair, StepsBackToWhereItStarted) {
  for (const char* method : {"rattle", "lobatto-pair:s=3", "lobatto-pair:s=4", "composition"}) {
    SCOPED_TRACE(method);
    const BoundProblem<double> bound("two-link-manipulator", "index-3");
    const auto stepper = stepper_of(method, bound);
    State<double> there = bound.start, back = there;
    const double h = 0.01;
    ASSERT_TRUE(stepper->step(bound.start, h, there).ok());
    ASSERT_TRUE(stepper->step(there, -h, back).ok());
    const MechanicalLayout& layout = bound.layout;
    EXPECT_GT(largest(Vector<double>(layout.q(there.y) - layout.q(bound.start.y))), 1e-5);
    EXPECT_LT(largest(Vector<double>(layout.q(back.y) - layout.q(bound.start.y))), 1e-14);
    EXPECT_LT(largest(Vector<double>(layout.v(back.y) - layout.v(bound.start.y))), 1e-11);
  }
}

// Positions of SHAKE are those of RATTLE if the first half step is the same, and its velocities their differences.
TEST(Shake, HasThePositionsOfRattleAndTheirDifferencesForVelocities) {
  const BoundProblem<double> bound("pendulum", "index-3");
  const double h = 0.01;
  const auto positions = [&](const char* method, std::vector<Vector<double>>& v) {
    const auto stepper = stepper_of(method, bound);
    std::vector<Vector<double>> q = {bound.layout.q(bound.start.y)};
    State<double> state = bound.start, next = state;
    for (int k = 0; k < 20; ++k) {
      EXPECT_TRUE(stepper->step(state, h, next).ok());
      std::swap(state, next);
      q.push_back(bound.layout.q(state.y)), v.push_back(bound.layout.v(state.y));
    }
    return q;
  };
  std::vector<Vector<double>> v, unused;
  const auto shake = positions("shake", v), rattle = positions("rattle", unused);
  for (std::size_t k = 0; k < shake.size(); ++k) EXPECT_LT(largest(shake[k] - rattle[k]), 1e-13) << k;
  // Round-off of positions over h.
  for (std::size_t k = 1; k + 1 < shake.size(); ++k)
    EXPECT_LT(largest(v[k - 1] - (shake[k + 1] - shake[k - 1]) / (2 * h)), 1e-12) << k;
  EXPECT_GT(largest(v.back() - unused.back()), 1e-6);
}

// Over 10^5 steps, 500 periods or so, the error of a symmetric method is that of the first thousand; Radau IIA of order
// 3, which is neither symmetric nor symplectic, loses energy at a constant rate: a hundred times as much.
TEST(Rattle, KeepsTheEnergyWithoutDrift) {
  const auto [few, all] = energy_errors("rattle", "index-3", 0.01, 100000, 1000);
  EXPECT_GT(few, 1e-5);
  EXPECT_LT(all, 1.01 * few);
  const auto [few3, all3] = energy_errors("lobatto-pair:s=3", "index-3", 0.01, 100000, 1000);
  EXPECT_LT(all3, few / 100);
  EXPECT_LT(all3, 1.05 * few3);
  const auto [damped_few, damped] = energy_errors("radau-iia:s=2", "index-3", 0.01, 100000, 1000);
  EXPECT_NEAR(damped / damped_few, 100, 2);
}

TEST(LobattoPair, SaysWhatItIsFor) {
  const auto refusal = [](const char* problem, const char* formulation, const char* method = "rattle") {
    return refusal_of(problem, formulation, method);
  };
  for (const char* formulation : {"index-1", "index-2", "ggl", "baumgarte", "projected", "penalty"})
    for (const char* method : {"rattle", "shake", "lobatto-pair"})
      EXPECT_THAT(refusal("pendulum", formulation, method), HasSubstr("use the index-3 formulation")) << formulation;
  EXPECT_THAT(refusal("knife-edge", "index-2"), HasSubstr("holonomic"));
  EXPECT_THAT(refusal("van-der-pol", "ode"), HasSubstr("mechanical system"));
  EXPECT_THAT(refusal("rowing-boat", "index-3"), HasSubstr("C_q has rank 4 of 6"));
  EXPECT_EQ(Registry<Method>::instance().make("rattle", "")->natural_level(), Level::position);
}

TEST(LobattoPair, FailsWithAStatusWhereConstraintsBecomeDependent) {
  const BoundProblem<double> bound("pendulum", "index-3");
  const auto stepper = stepper_of("rattle", bound);
  State<double> pivot = bound.start, next = pivot;
  pivot.y.head(bound.layout.n).setZero();
  pivot.y.segment(bound.layout.n, bound.layout.n).setZero();
  const Status status = stepper->step(pivot, 0.01, next);
  EXPECT_EQ(status.code, StatusCode::singular);
  EXPECT_THAT(status.cause, HasSubstr("dependent constraints"));
}

// Without constraints: the leapfrog method on q'' = -k q of the chain, one step by hand.
TEST(Rattle, IsTheLeapfrogMethodWithoutConstraints) {
  const BoundProblem<double> bound("oscillator-chain", "index-3");
  const Index n = bound.layout.n;
  const double h = 0.01;
  State<double> end = bound.start, point = end;
  ASSERT_TRUE(stepper_of("rattle", bound)->step(bound.start, h, end).ok());
  const Vector<double> half = bound.layout.v(bound.start.y) + h / 2 * bound.layout.a(bound.start.ydot);
  point.y.head(n) += h * half;
  point.y.segment(n, n) = half;
  ASSERT_TRUE(bound.system->consistent_derivatives(h, point.y, point.ydot).ok());
  EXPECT_LT(largest(Vector<double>(bound.layout.q(end.y) - bound.layout.q(point.y))), 1e-14);
  EXPECT_LT(largest(Vector<double>(bound.layout.v(end.y) - half - h / 2 * bound.layout.a(point.ydot))), 1e-13);
}

// Double shows the orders, too. Bound: orders estimated from three steps, each half the one before.
TEST(LobattoPair, HasItsOrderInDouble) {
  for (const auto& [method, order] : {std::pair{"rattle", 2}, {"shake", 2}, {"lobatto-pair:s=3", 4}}) {
    const PerComponent orders = observed_orders<double>("pendulum", "index-3", method, 1.0, {64, 128, 256});
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(orders[i], order, 0.15) << method << ", component " << i;
  }
}

#ifndef DAELAB_DOUBLE_ONLY
// q, v, a and lambda; M of the seven-body mechanism depends on the position.
// Bound: as above.
TEST(LobattoPair, HasItsOrderInAllComponents) {
  for (const auto& [method, order] :
       {std::pair{"rattle", 2}, {"shake", 2}, {"lobatto-pair:s=3", 4}, {"lobatto-pair:s=4", 6}})
    for (const auto& [problem, end] :
         {std::pair{"pendulum", 1.0}, {"two-link-manipulator", 0.25}, {"seven-body", 0.005}}) {
      const PerComponent orders = observed_orders<Real50>(problem, "index-3", method, Real50(end), {128, 256, 512});
      for (std::size_t i = 0; i < 4; ++i)
        EXPECT_NEAR(orders[i], order, 0.15) << method << " on " << problem << ", component " << i;
    }
}
#endif

}  // namespace TEST_FILE
}  // namespace daelab
