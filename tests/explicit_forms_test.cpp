// The projected form: both levels of the constraints at round-off after every step, the order of every method, drift
// against that of index 1, and what happens where no projection converges.
//
// [Ren20] Ren, Zhou, Journal of Dynamics and Control, 2020, doi 10.6052/1672-6553-2020-098.
// [HW96] Hairer, Wanner, Solving Ordinary Differential Equations II, 2nd ed., Springer, 1996, Sec. VII.2.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "tests/drift_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;

// After one Newton correction to the drift d what is left is of the size d^2, after the last one round-off: of x, which
// the unit counts, and of C itself, a few units. C_t of the driven mechanisms is part of the velocity level.
TEST(Projected, KeepsBothLevelsAtRoundOffAfterEveryStep) {
  for (const char* method :
       {"runge-kutta", "runge-kutta:tableau=dormand-prince", "adams-bashforth:k=4", "extrapolation", "rkc", "rock4"})
    for (const auto& [problem, h, end] : {std::tuple{"pendulum", 0.02, 2.0}, std::tuple{"seven-body", 2e-5, 2e-3},
                                          std::tuple{"driven-crank", 0.01, 0.5}, std::tuple{"car-axis", 2e-3, 0.2}}) {
      SCOPED_TRACE(fmt::format("{} on {}", method, problem));
      const RoundOff<double> projected = drift({problem, "projected", method, h, end});
      EXPECT_LE(projected.position, 4);
      EXPECT_LE(projected.velocity, 8);
      if (method != std::string("runge-kutta")) continue;
      const RoundOff<double> index_1 = drift({problem, "index-1", method, h, end});
      EXPECT_GT(index_1.position, 100);
      EXPECT_GT(index_1.velocity, 100);
    }
}

// Rows that follow from others are met as well, to twice as many units.
TEST(Projected, TreatsRedundantConstraints) {
  for (const auto& [problem, h, end] :
       {std::tuple{"bricard", 0.01, 1.0}, std::tuple{"n-four-bar", 0.01, 1.0}, std::tuple{"rowing-boat", 0.01, 0.5}}) {
    const RoundOff<double> projected = drift({problem, "projected", "runge-kutta:tableau=dormand-prince", h, end});
    EXPECT_LE(projected.position, 8) << problem;
    EXPECT_LE(projected.velocity, 16) << problem;
  }
}

TEST(Projected, ImposesNonholonomicConstraints) {
  EXPECT_LE(drift({"knife-edge", "projected", "runge-kutta", 0.02, 2}).velocity, 8);
  // Units of round-off as above; drift is above 1e8 of them.
  EXPECT_GT(drift({"knife-edge", "index-1", "runge-kutta", 0.02, 2}).velocity, 100);
}

TEST(Projected, EachProjectionIsOptional) {
  const RoundOff<double> velocity = drift({"pendulum", "projected:position=false", "runge-kutta", 0.02, 2});
  // Units of round-off as above; what is not projected drifts by thousands of them and more.
  EXPECT_GT(velocity.position, 100);
  EXPECT_LE(velocity.velocity, 8);
  const RoundOff<double> position = drift({"pendulum", "projected:velocity=false", "runge-kutta", 0.02, 2});
  EXPECT_LE(position.position, 4);
  EXPECT_GT(position.velocity, 100);
  const RoundOff<double> none = drift({"pendulum", "projected:position=false,velocity=false", "runge-kutta", 0.02, 2});
  const RoundOff<double> index_1 = drift({"pendulum", "index-1", "runge-kutta", 0.02, 2});
  EXPECT_EQ(none.position, index_1.position);
  EXPECT_EQ(none.velocity, index_1.velocity);
}

// |C| after every step of the pendulum.
class Violations final : public Observer<double> {
 public:
  void start(const State<double>& /*state*/) override {}
  void step(const State<double>& /*from*/, const State<double>& to) override {
    list.push_back(std::abs(to.y[0] * to.y[0] + to.y[1] * to.y[1] - 1) / 2);
  }
  double most() const { return *std::max_element(list.begin(), list.end()); }
  std::vector<double> list;
};

std::vector<double> violations(const std::string& formulation, double end = 10) {
  const BoundProblem<double> bound("pendulum", formulation);
  const auto stepper = Registry<Method>::instance().make("runge-kutta", "")->stepper(*bound.system, {});
  Violations observer;
  State<double> state = bound.start;
  EXPECT_TRUE(integrate<double>(*stepper, state, end, 0.02, {&observer}).ok()) << formulation;
  return observer.list;
}
double most(const std::vector<double>& list) { return *std::max_element(list.begin(), list.end()); }

// The drift of 10 s is far above the bound; with it, it comes to the bound again and again and never goes beyond.
TEST(Projected, LeavesDriftBelowTheBoundAlone) {
  const std::vector<double> list = violations("projected:bound=1e-6");
  EXPECT_GT(most(violations("index-1")), 1e-5);  // ten times the bound
  EXPECT_LE(most(list), 1e-6);
  EXPECT_GT(most(list), 1e-7);  // a tenth of the bound
  const auto projected = std::count_if(list.begin(), list.end(), [](double C) { return C < 1e-14; });
  EXPECT_GT(projected, 2);
  EXPECT_LT(projected, 100) << "of 500 steps";
}

// Index 1 drifts with the square of time [HW96, Sec. VII.2]: sixteenfold from 10 to 40 s. Baumgarte's gains hold the
// drift at the size of what a few steps add; the projection removes it.
TEST(Projected, EndsTheDriftThatBaumgarteBounds) {
  EXPECT_GT(most(violations("index-1", 40)), 10 * most(violations("index-1")));
  // As much after 10 s as after 40 s
  EXPECT_LT(most(violations("baumgarte", 40)), 1.1 * most(violations("baumgarte")));
  EXPECT_LT(most(violations("projected", 40)), 1e-15);  // round-off
}

// One correction leaves the square of what a step adds, and nothing piles up: Ascher, Chin, Petzold, Reich 1995.
TEST(Projected, ASingleCorrectionStabilizes) {
  const std::vector<double> once = violations("projected:corrections=1", 40), drifting = violations("index-1", 40);
  // Only round-off is left, 1e-16.
  EXPECT_LT(most(once), 1e-12 * most(drifting));
  EXPECT_LT(most(once), 1.1 * most(violations("projected:corrections=1")));  // nothing piles up
}

TEST(Projected, WorksUnderErrorControl) {
  const ConstrainedMotion exact = known_motion("pendulum", Real50(5));
  for (const double tolerance : {1e-6, 1e-9}) {
    const BoundProblem<double> bound("pendulum", "projected");
    const auto stepper =
        Registry<Method>::instance().make("runge-kutta:tableau=dormand-prince", "")->stepper(*bound.system, {});
    stepper->control({tolerance, tolerance, tolerance});
    RoundOff<double> observer(bound);
    State<double> state = bound.start;
    ASSERT_TRUE(integrate_adaptive<double>(*stepper, state, 5.0, 0.0, {&observer}).ok());
    const PerComponent errors = errors_of(motion_of(state, bound.layout), exact);
    // Measured: 13 tolerances in positions and 42 in velocities.
    EXPECT_LT(errors[0], 100 * tolerance);
    EXPECT_LT(errors[1], 300 * tolerance);
    EXPECT_LE(observer.position, 4);
    EXPECT_LE(observer.velocity, 8);
  }
}

// One correction of the positions and one of the velocities a step, the latter with the matrices of the slope there:
// one factorisation more than on index 1, and two right-hand sides.
TEST(Projected, FactorisesTwiceAtTheEndOfAStep) {
  const auto solves = [](const std::string& formulation) {
    const BoundProblem<double> bound("pendulum:vy=-1", formulation);
    const auto stepper = Registry<Method>::instance().make("runge-kutta", "")->stepper(*bound.system, {});
    State<double> state = bound.start;
    EXPECT_TRUE(integrate<double>(*stepper, state, 0.8, 0.02, {}).ok());
    return bound.multipliers->statistics();
  };
  const double m = 1, back_solve = 2 * m * m, factorization = m * m * m / 3;
  const SolveStatistics index_1 = solves("index-1"), projected = solves("projected");
  EXPECT_EQ(projected.solves - index_1.solves, 80);
  // Round-off of sums of thirds
  EXPECT_NEAR(projected.flops - index_1.flops, 40 * (factorization + 2 * back_solve), 1e-9);
}

// A step of 100 s throws the mass 10^5 rod lengths away.
TEST(Projected, ReportsProjectionsThatDoNotConverge) {
  const BoundProblem<double> bound("pendulum:vx=0,vy=-1", "projected");
  const auto stepper =
      Registry<Method>::instance().make("runge-kutta:tableau=explicit-euler", "")->stepper(*bound.system, {});
  State<double> state = bound.start;
  const Status status = integrate<double>(*stepper, state, 1000.0, 100.0, {});
  EXPECT_EQ(status.code, StatusCode::newton_diverged);
  EXPECT_THAT(status.cause, HasSubstr("the projection of positions does not converge"));
  EXPECT_THAT(status.cause, HasSubstr("corrections (step from t = 0)"));
}

// Of solve_again: the answers of solve with the same matrices.
// The bound is 100 times the eps_abs of sr1.
TEST(SolvingAgain, GivesWhatSolvingGives) {
  RandomNumbers random(7);
  Matrix<double> X(9, 5), S(9, 9);
  for (Index j = 0; j < 5; ++j) X.col(j) = random.vector<double>(9);
  for (Index j = 0; j < 9; ++j) S.col(j) = random.vector<double>(9);
  const Matrix<double> G = X.transpose(), M = S * S.transpose() + Matrix<double>::Identity(9, 9);
  const Vector<double> f = random.vector<double>(9), h = random.vector<double>(5);
  for (const char* spec : {"kkt-lu", "schur-cholesky", "pivoted-cholesky", "complete-orthogonal", "svd",
                           "sr1:eps_abs=1e-12", "sr1-paper:eps_abs=1e-12"}) {
    SCOPED_TRACE(spec);
    const auto multipliers = Registry<MultiplierSolver>::instance().make(spec, "")->bind(As<double>{}, 9, 5);
    Vector<double> a(9), mu(5), expected_a(9), expected_mu(5);
    ASSERT_TRUE(multipliers->solve({M, false, G, f, h}, expected_a, expected_mu).ok());
    ASSERT_TRUE(multipliers->solve({M, false, G, Vector<double>(2 * f), Vector<double>(-h)}, a, mu).ok());
    ASSERT_TRUE(multipliers->solve_again(f, h, a, mu).ok());
    EXPECT_LT(largest(a - expected_a), 1e-10);
    EXPECT_LT(largest(mu - expected_mu), 1e-10);
    EXPECT_EQ(multipliers->statistics().solves, 3);
  }
}

const std::vector<std::string> implicit_methods{"radau-iia:s=2", "gauss:s=2", "kvaerno-3", "bdf:k=3",
                                                "generalized-alpha"};

// By mass and to the nearest point.
TEST(Projected, ServesImplicitMethods) {
  for (const char* form : {"projected", "projected:weights=identity"})
    for (const std::string& method : implicit_methods)
      for (const auto& [problem, h, end] :
           {std::tuple{"pendulum", 0.02, 1.0}, std::tuple{"seven-body", 2e-5, 1e-3}, std::tuple{"car-axis", 2e-3, 0.1},
            std::tuple{"rowing-boat", 0.01, 0.3}, std::tuple{"knife-edge", 0.02, 0.5}}) {
        SCOPED_TRACE(fmt::format("{} on {}, {}", method, problem, form));
        const RoundOff<double> found = drift({problem, form, method, h, end});
        EXPECT_LE(found.position, 8);
        EXPECT_LE(found.velocity, 16);
      }
}

// The projection moves a step end by no more than its local error [HW96, Sec. VII.2]; BDF gets past values that lie on
// the constraints.
TEST(Projected, KeepsTheOrderOfImplicitMethods) {
  for (const char* form : {"projected", "projected:weights=identity"})
    for (const auto& [method, order, counts] :
         {std::tuple{"radau-iia:s=2", 3, std::vector{40, 80, 160}},
          std::tuple{"gauss:s=2", 4, std::vector{30, 60, 120}}, std::tuple{"kvaerno-3", 3, std::vector{50, 100, 200}},
          std::tuple{"bdf:k=3", 3, std::vector{400, 800, 1600}},
          std::tuple{"generalized-alpha", 2, std::vector{400, 800, 1600}}})
      for (const char* problem : {"pendulum", "two-link-manipulator"})
        EXPECT_NEAR(observed_order(problem, form, method, 0.5, counts), order, 0.3)
            << method << " on " << problem << ", " << form;
}

// The pendulum of length 1: the nearest point of the circle is q/|q|.
TEST(Projected, GoesToTheNearestPoint) {
  const BoundProblem<double> bound("pendulum", "projected:weights=identity");
  Vector<double> y = bound.start.y;
  y.head(2) << 0.6, 0.805;
  y.segment(2, 2) << 2, 1;
  const Vector<double> nearest = y.head(2).normalized(), v = y.segment(2, 2);
  ASSERT_TRUE(bound.system->project(0.0, y).ok());
  // Newton's corrections go along C_q^T of the first iterate, which is q itself.
  EXPECT_LT(largest(y.head(2) - nearest), 1e-15);
  EXPECT_LT(largest(y.segment(2, 2) - (v - nearest * nearest.dot(v))), 1e-15);
}

#ifndef DAELAB_DOUBLE_ONLY
// What only engines and models in 50 digits can show.

// The projection moves a step end by no more than its local error, which keeps orders [HW96, Sec. VII.2].
// With one level alone a component may come out better while its first terms cancel.
// The next term leaves 0.15 of an order at these steps.
TEST(Projected, KeepsTheOrderOfEveryMethod) {
  for (const auto& [method, order, counts] :
       {std::tuple{"runge-kutta", 4, std::vector<int>{64, 128, 256, 512}},
        std::tuple{"runge-kutta:tableau=dormand-prince", 5, std::vector<int>{64, 128, 256, 512}},
        std::tuple{"runge-kutta:tableau=verner-87", 8, std::vector<int>{64, 128, 256, 512}}})
    for (const char* formulation : {"projected", "projected:position=false", "projected:velocity=false"}) {
      const PerComponent orders =
          observed_orders<Real50>("pendulum", formulation, method, Real50(1) / Real50(2), counts);
      for (double observed : orders) {
        EXPECT_GT(observed, order - 0.15) << method << " on " << formulation;
        if (formulation == std::string("projected")) {
          EXPECT_LT(observed, order + 0.15) << method;
        }
      }
    }
}

// On seven-body, where M changes and the first stage of a step uses the factorisation of the projection before it.
TEST(Projected, KeepsTheOrderOnTheSevenBodyMechanism) {
  const PerComponent orders =
      observed_orders<Real50>("seven-body", "projected", "runge-kutta", Real50("0.002"), {100, 200, 400});
  for (double observed : orders) EXPECT_NEAR(observed, 4, 0.15);  // as above
}

#endif

}  // namespace TEST_FILE
}  // namespace daelab
