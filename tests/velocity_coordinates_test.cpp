// Maggi's equations: velocities on their constraints at every stage, positions that drift with the error, the orders of
// ordinary equations, and what is refused.
#include "core/equations/velocity_coordinates_system.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "tests/drift_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;

const std::vector<std::string> forms{"maggi", "maggi:velocities=tangent"};

// Velocities are solved for once, by a matrix whose condition adds to their round-off; a step of 1/20 leaves the
// pendulum 1e-6 off the circle after 2 s.
TEST(Maggi, KeepsVelocitiesAtRoundOffAndDrifts) {
  for (const std::string& form : forms)
    for (const char* method : {"runge-kutta", "adams-bashforth:k=4", "gauss:s=2", "radau-iia:s=2", "kvaerno-3",
                               "bdf:k=3", "generalized-alpha"})
      for (const auto& [problem, h, end] : {std::tuple{"pendulum", 0.05, 2.0}, std::tuple{"seven-body", 2e-5, 1e-3},
                                            std::tuple{"car-axis", 2e-3, 0.1}}) {
        SCOPED_TRACE(fmt::format("{} on {}, {}", method, problem, form));
        const RoundOff<double> found = drift({problem, form, method, h, end});
        EXPECT_LE(found.velocity, 64);
        // Gauss' methods keep quadratic invariants, as the length of the rod is one.
        if (problem == std::string("pendulum") && method != std::string("gauss:s=2")) {
          EXPECT_GT(found.position, 1e3);
        }
      }
}

// Off the position constraints velocity rows that depend on each other contradict each other, by as much.
TEST(Maggi, TakesRedundantConstraints) {
  for (const std::string& form : forms)
    for (const char* method : {"runge-kutta", "radau-iia:s=2", "bdf:k=3"})
      for (const auto& [problem, h, end] : {std::tuple{"bricard", 0.01, 0.4}, std::tuple{"rowing-boat", 0.01, 0.3}}) {
        const RoundOff<double> found = drift({problem, form, method, h, end});
        EXPECT_LE(found.velocity, 10 * found.position) << method << " on " << problem << ", " << form;
      }
}

TEST(Maggi, HasTheOrdersOfOrdinaryEquations) {
  struct Case {
    const char* method;
    double order;
    std::vector<int> counts;
  };
  // In 40 steps of gauss the choice of velocities, and with it the error, hangs on what the iteration leaves.
  const std::vector<Case> cases{
      {"runge-kutta", 4, {100, 200, 400}},        {"adams-bashforth:k=3", 3, {400, 800, 1600}},
      {"radau-iia:s=2", 3, {100, 200, 400}},      {"gauss:s=2", 4, {80, 160, 320}},
      {"kvaerno-3", 3, {50, 100, 200}},           {"bdf:k=2", 2, {800, 1600, 3200}},
      {"generalized-alpha", 2, {800, 1600, 3200}}};
  for (const std::string& form : forms)
    for (const char* problem : {"pendulum", "two-link-manipulator"})
      for (const Case& c : cases) {
        const double end = problem == std::string("pendulum") ? 1.5 : 0.5;
        EXPECT_NEAR(observed_order(problem, form, c.method, end, c.counts), c.order, 0.3)
            << c.method << " on " << problem << ", " << form;
      }
}

TEST(Maggi, ImposesNonholonomicConstraints) { expect_nonholonomic_motions(forms); }

// The pendulum of length 1 by hand, with u the velocity of the coordinate whose direction is nearer to the circle, or
// along it: one step of the classical Runge-Kutta method on (q, u).
TEST(Maggi, AStepIsThatOfTheMethodOnPositionsAndQuasiVelocities) {
  for (const std::string& form : forms) {
    const BoundProblem<double> bound("pendulum", form), plain("pendulum", "index-1");
    const auto stepper = Registry<Method>::instance().make("runge-kutta", "")->stepper(*bound.system, {});
    State<double> state = bound.start, next = state;
    const double h = 0.1;
    for (int k = 0; k < 4; ++k) {  // to a point that is nothing special
      ASSERT_TRUE(stepper->step(state, h, next).ok());
      if (k < 3) std::swap(state, next);
    }
    const Vector<double> q0 = state.y.head(2), v0 = state.y.segment(2, 2);
    Vector<double> N = q0, b(2);
    if (form == "maggi") N = Vector<double>::Unit(2, std::abs(q0[0]) > std::abs(q0[1]) ? 0 : 1);
    b << -N[1], N[0];
    const auto velocity = [&](const Vector<double>& q, double u) {
      const Vector<double> v = b * (u / b.squaredNorm());
      return Vector<double>(v - N * (q.dot(v) / q.dot(N)));
    };
    const auto slope = [&](const Vector<double>& x) {  // (q, u)
      const Vector<double> q = x.head(2), v = velocity(q, x[2]);
      State<double> at = plain.start;
      at.y.head(2) = q, at.y.segment(2, 2) = v;
      EXPECT_TRUE(plain.system->consistent_derivatives(at.t, at.y, at.ydot).ok());
      Vector<double> f(3);
      f << v, b.dot(Vector<double>(at.ydot.segment(2, 2)));
      return f;
    };
    Vector<double> x(3);
    x << q0, b.dot(v0);
    const Vector<double> k1 = slope(x), k2 = slope(x + h / 2 * k1), k3 = slope(x + h / 2 * k2), k4 = slope(x + h * k3);
    const Vector<double> end = x + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4), q = end.head(2);
    EXPECT_LT(largest(q - next.y.head(2)), 1e-15) << form;  // round-off
    EXPECT_LT(largest(velocity(q, end[2]) - next.y.segment(2, 2)), 1e-14) << form;
  }
}

// Off the constraints of position, where only velocities are put right; differences of step 1e-6 err by about 1e-9.
TEST(Maggi, JacobiansMatchDifferences) {
  for (const std::string& form : forms)
    for (const char* problem : {"pendulum", "two-link-manipulator", "knife-edge"}) {
      SCOPED_TRACE(form + ", " + problem);
      const BoundProblem<double> bound(problem, form);
      System<double>& system = *bound.system;
      const Index N = system.size(), d = system.differential();
      Vector<double> y = bound.start.y, ydot = bound.start.ydot;
      y.head(d) += 1e-3 * RandomNumbers(3).vector<double>(d);
      ASSERT_TRUE(system.start_step(bound.start.t, 0.1, y).ok());
      ASSERT_TRUE(system.consistent_derivatives(bound.start.t, y, ydot).ok());
      Matrix<double> F_y(N, N), F_ydot(N, N), expected(N, N);
      const auto linearization = system.linearization();
      linearization->evaluate(bound.start.t, y, ydot);
      linearization->dense(F_y, F_ydot);
      Vector<double> up(N), down(N);
      for (Index j = 0; j < N; ++j) {
        Vector<double> at = y;
        at[j] += 1e-6, system.residual(bound.start.t, at, ydot, up);
        at[j] -= 2e-6, system.residual(bound.start.t, at, ydot, down);
        expected.col(j) = (up - down) / 2e-6;
      }
      EXPECT_LT(largest(F_y - expected), 1e-6 * largest(F_y));
      EXPECT_LT(largest(F_ydot.topLeftCorner(d, d) - Matrix<double>::Identity(d, d)), 1e-15);
    }
}

TEST(Maggi, RefusesMechanismsWithoutDegreesOfFreedom) {
  const auto formulation = Registry<Formulation>::instance().make("maggi", "");
  const auto driven = Registry<Problem>::instance().make("driven-crank", "")->model(As<double>{});
  EXPECT_THAT(formulation->refusal(*driven), HasSubstr("no independent coordinates: 5 of the 5 constraints"));
  const auto ordinary = Registry<Problem>::instance().make("van-der-pol", "")->model(As<double>{});
  EXPECT_THAT(formulation->refusal(*ordinary), HasSubstr("is a formulation of mechanical systems"));
}

#ifndef DAELAB_DOUBLE_ONLY
TEST(Maggi, HasItsOrderInFiftyDigits) {
  for (const std::string& form : forms) {
    const PerComponent orders =
        observed_orders<Real50>("pendulum", form, "runge-kutta:tableau=verner-87", Real50(1), {128, 256, 512});
    for (double observed : orders) EXPECT_NEAR(observed, 8, 0.3) << form;  // the next term
  }
}
#endif

}  // namespace TEST_FILE
}  // namespace daelab
