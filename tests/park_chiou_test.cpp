// Multipliers as states, driven by the violation of the velocity constraints: the law of the violation, orders of the
// step-dependent factor, redundant constraints and lost ranks, and what is refused.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "core/integration/integrate.hpp"
#include "tests/drift_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(ParkChiou, StartsWithTheMultipliersOfIndexOne) {
  for (const char* problem : {"pendulum", "seven-body", "car-axis", "bricard", "rowing-boat", "knife-edge"}) {
    const BoundProblem<double> bound(problem, "park-chiou"), index_1(problem, "index-1");
    const double size = 1 + largest(index_1.start.y);
    EXPECT_LT(largest(bound.start.y - index_1.start.y), 1e-12 * size) << problem;  // round-off
    EXPECT_LT(largest(Vector<double>((bound.start.ydot - index_1.start.ydot).head(2 * bound.layout.n))),
              1e-9 * (1 + largest(index_1.start.ydot)))
        << problem;
  }
}

// Differences of step 1e-6 in double err by about 1e-9 of the derivatives.
TEST(ParkChiou, JacobiansMatchDifferences) {
  for (const char* problem : {"pendulum", "two-link-manipulator", "rowing-boat", "knife-edge"}) {
    SCOPED_TRACE(problem);
    const BoundProblem<double> bound(problem, "park-chiou");
    System<double>& system = *bound.system;
    const Index N = system.size();
    const RandomNumbers random(3);
    Vector<double> y = bound.start.y, ydot = bound.start.ydot;
    y += 1e-2 * RandomNumbers(3).vector<double>(N), ydot += 1e-2 * RandomNumbers(4).vector<double>(N);
    ASSERT_TRUE(system.start_step(bound.start.t, 0.1, y).ok());
    Matrix<double> F_y(N, N), F_ydot(N, N), by_y(N, N), by_ydot(N, N);
    const auto linearization = system.linearization();
    linearization->evaluate(bound.start.t, y, ydot);
    linearization->dense(F_y, F_ydot);
    const auto difference = [&](Vector<double>& x, Index j) {
      Vector<double> up(N), down(N);
      const double centre = x[j];
      x[j] = centre + 1e-6, system.residual(bound.start.t, y, ydot, up);
      x[j] = centre - 1e-6, system.residual(bound.start.t, y, ydot, down);
      x[j] = centre;
      return Vector<double>((up - down) / 2e-6);
    };
    for (Index j = 0; j < N; ++j) by_y.col(j) = difference(y, j), by_ydot.col(j) = difference(ydot, j);
    EXPECT_LT(largest(F_y - by_y), 1e-6 * (1 + largest(F_y)));
    EXPECT_LT(largest(F_ydot - by_ydot), 1e-6 * (1 + largest(F_ydot)));
    // Iteration matrices solve (F_ydot + kappa F_y) x = r.
    const auto matrix = linearization->real_matrix();
    const double kappa = 0.03;
    ASSERT_TRUE(matrix->factorize(kappa).ok());
    const Vector<double> r = RandomNumbers(5).vector<double>(N);
    Vector<double> x = r;
    matrix->solve(x);
    EXPECT_LT(largest(Vector<double>((F_ydot + kappa * F_y) * x - r)), 1e-9 * (1 + largest(x) * largest(F_y)));
  }
}

// The factor that follows the step leaves errors of h^2. Multipliers start with the slope 0 instead of their own,
// unless the motion starts from rest, and oscillate from then on; methods that damp this have h^2 there, too.
TEST(ParkChiou, HasOrderTwoByItsFactor) {
  for (const char* method : {"radau-iia:s=2", "bdf:k=2", "gauss:s=2", "runge-kutta"})
    for (const auto& [problem, end] : {std::pair{"pendulum", 1.0}, std::pair{"two-link-manipulator", 0.5}}) {
      const PerComponent orders = observed_orders<double>(problem, "park-chiou", method, end, {200, 400, 800, 1600});
      for (double observed : orders) EXPECT_NEAR(observed, 2, 0.3) << method << " on " << problem;
    }
  for (const char* method : {"radau-iia:s=2", "bdf:k=2", "gauss:s=2", "runge-kutta"}) {
    const PerComponent orders = observed_orders<double>("knife-edge", "park-chiou", method, 1.0, {200, 400, 800, 1600});
    EXPECT_NEAR(orders[0], 2, 0.3) << method;
    EXPECT_NEAR(orders[1], 2, 0.3) << method;
  }
}

// C = epsilon (lambda - lambda_0), with a factor that does not change; of every method, as both sides have the same
// slope C' along straight lines of linear constraints, and up to the error of the method otherwise.
TEST(ParkChiou, ViolatesConstraintsByEpsilonTimesTheChangeOfMultipliers) {
  for (const char* method : {"radau-iia:s=3", "gauss:s=3", "runge-kutta"}) {
    const BoundProblem<double> bound("pendulum", "park-chiou:epsilon=1e-4");
    const auto stepper = Registry<Method>::instance().make(method, "")->stepper(*bound.system, {});
    State<double> state = bound.start;
    ASSERT_TRUE(integrate<double>(*stepper, state, 1.0, 1e-3, {}).ok());
    Vector<double> C(1), q = state.y.head(2), v = state.y.segment(2, 2);
    bound.model->constraint_level(Level::position, 1.0, q, v, v, C);
    const double expected = 1e-4 * (state.y[4] - bound.start.y[4]);
    EXPECT_NEAR(C[0] / expected, 1, 1e-3) << method;  // (h omega)^4, omega = 100: 1e-4
  }
}

TEST(ParkChiou, TakesRedundantConstraintsAndLostRanks) {
  for (const char* problem : {"bricard", "rowing-boat"})
    for (const char* method : {"radau-iia:s=2", "bdf:k=2"}) {
      const double end = problem == std::string("bricard") ? 0.4 : 0.3;
      double last = 0;
      for (const int count : {100, 200, 400}) {
        const RoundOff<double> found = drift({problem, "park-chiou", method, end / count, end});
        if (last > 0) {
          EXPECT_LT(found.position, 0.4 * last) << problem << ", " << method;  // a quarter by theory
        }
        last = found.position;
      }
    }
}

TEST(ParkChiou, SaysWhatItCannotDo) {
  for (const char* spec : {"park-chiou:factor=0", "park-chiou:epsilon=-1", "park-chiou:factor=-1"})
    EXPECT_THROW(Registry<Formulation>::instance().make(spec, "/formulation"), InputError) << spec;
  const BoundProblem<double> bound("pendulum", "park-chiou");
  for (const char* method : {"generalized-alpha", "newmark"})
    EXPECT_THAT([&] { Registry<Method>::instance().make(method, "")->stepper(*bound.system, {}); },
                ThrowsMessage<NotApplicable>(HasSubstr("second-order system")))
        << method;
  const auto model = recorded_model<double>([](Recording& r) {  // the second coordinate has no mass
    r.coordinates(2);
    r.start_q = {1, 0}, r.start_v = {0, 0};
    r.mass(0, 0) = 1;
    r.constraints = {r.q[1]};
  });
  const auto multipliers = multipliers_for<double>(*model, "kkt-lu");
  const auto system = Registry<Formulation>::instance().make("park-chiou", "")->system(*model, *multipliers);
  Vector<double> y = Vector<double>::Zero(system->size()), ydot = y;
  EXPECT_THAT(system->consistent_start(0.0, y, ydot).cause, HasSubstr("the mass matrix is not positive definite"));
}

// With an epsilon of its own the error of the motion is epsilon times the multipliers, of any step.
TEST(ParkChiou, TakesErrorControlWithAnEpsilonThatStays) {
  const ConstrainedMotion exact = known_motion("pendulum", Real50(1));
  const auto run = [](const std::string& form, State<double>& state) {
    const BoundProblem<double> bound("pendulum", form);
    const auto stepper = Registry<Method>::instance().make("radau-iia:s=3", "")->stepper(*bound.system, {});
    stepper->control({1e-8, 1e-8, 1e-8});
    state = bound.start;
    return integrate_adaptive<double>(*stepper, state, 1.0, 0.0, {});
  };
  State<double> state;
  for (const double epsilon : {1e-6, 1e-8}) {
    const Status status = run(fmt::format("park-chiou:epsilon={}", epsilon), state);
    ASSERT_TRUE(status.ok()) << status.cause;
    const double error = largest(Vector<Real50>(state.y.head(2).cast<Real50>() - exact.q));
    EXPECT_LT(error, 100 * epsilon);  // lambda is 30 at most
    EXPECT_GT(error, epsilon);
  }
  const Status refused = run("park-chiou", state);
  EXPECT_EQ(refused.code, StatusCode::not_applicable);
  EXPECT_THAT(refused.cause, HasSubstr("steps must not become smaller"));
}

#ifndef DAELAB_DOUBLE_ONLY
TEST(ParkChiou, HasOrderTwoInFiftyDigits) {
  const PerComponent orders =
      observed_orders<Real50>("pendulum", "park-chiou", "radau-iia:s=3", Real50(1), {800, 1600, 3200});
  for (double observed : orders) EXPECT_NEAR(observed, 2, 0.3);  // the next term
}
#endif

}  // namespace TEST_FILE
}  // namespace daelab
