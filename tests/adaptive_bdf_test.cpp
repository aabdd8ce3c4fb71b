// BDF with error control: caps and instability in runs, errors against tolerances on every form, the filter of
// velocities, restarts, redundant constraints.
//
// [Ren20] Ren, Zhou, Journal of Dynamics and Control, 2020, doi 10.6052/1672-6553-2020-098.
#include "core/integration/integrate.hpp"
#include "core/integration/method.hpp"
#include "core/integration/observers.hpp"
#include "methods/multistep/bdf_stepper.hpp"
#include "methods/multistep/order_selection.hpp"
#include "tests/newton_support.hpp"
#include "tests/numeric_support.hpp"
#include "tests/ode_system.hpp"

namespace daelab {
namespace TEST_FILE {

template <class T>
struct Outcome {
  Status status;
  State<T> state;
  Statistics statistics;
  std::vector<typename StepHistory<T>::Row> accepted;

  double time_share(int lowest, int highest) const {
    double inside = 0, total = 0;
    for (const auto& row : accepted) {
      total += row.h;
      if (row.order >= lowest && row.order <= highest) inside += row.h;
    }
    return inside / total;
  }
};

template <class T>
Outcome<T> run(System<T>& system, State<T> start, const std::string& method, const T& t_end,
               const Tolerances<T>& tolerances, const NewtonOptions& newton = {}) {
  const auto stepper = Registry<Method>::instance().make(method, "")->stepper(system, newton);
  stepper->control(tolerances);
  StepHistory<T> history;
  Outcome<T> result;
  result.state = std::move(start);
  result.status = integrate_adaptive<T>(*stepper, result.state, t_end, T(0), {&history});
  result.statistics = stepper->statistics();
  for (const auto& row : history.rows())
    if (row.outcome.accepted()) result.accepted.push_back(row);
  EXPECT_TRUE(result.status.ok()) << method << ": " << result.status.cause;
  return result;
}

// An oscillation that matters, w = 1, and a fast one with an amplitude far below the tolerance.
Outcome<double> run_two_oscillators(const std::string& selector, double fast) {
  OdeSystem<double> ode(
      4,
      [fast](const double&, const Vector<double>& y, Vector<double>& f) {
        f.head(2) = y.tail(2);
        f[2] = -y[0], f[3] = -fast * fast * y[1] - 0.002 * fast * y[3];
      },
      [fast](const double&, const Vector<double>&, Matrix<double>& J) {
        J.setZero();
        J(0, 2) = J(1, 3) = 1, J(2, 0) = -1, J(3, 1) = -fast * fast, J(3, 3) = -0.002 * fast;
      },
      2);
  const Vector<double> y0{{1, 1e-6, 0, 0}};
  return run<double>(ode, start_state(ode, y0), "bdf:selector=" + selector, 100, {1e-4, 1e-4, 1e-3},
                     newton_options("quasi"));  // [Ren20, algorithm 2]: coarser ones leave the fast one unsolved
}

// h of order 5 for the slow oscillation puts w h of the fast one into the range 0.71 to 9.39 where that formula is
// unstable. Rules that only compare errors keep the order and cut the step to the limit of stability; Skelboe's test
// falls back to orders 2 and 3, whose step is the one of the slow oscillation. [Ren20, Sec. 4]
TEST(Instability, IsLeftByTheOrderOrPaidByTheStep) {
  for (const char* name : {"plain", "difsub", "dassl", "stewart"}) {
    const Outcome<double> held = run_two_oscillators(name, 10);
    EXPECT_GT(held.time_share(5, 5), 0.9) << name;  // measured 0.97 and more
  }
  for (const char* name : {"skelboe", "combined", "skelboe-stewart"}) {
    const Outcome<double> left = run_two_oscillators(name, 10);
    EXPECT_GT(left.time_share(2, 3), 0.9) << name;  // measured 0.95 and more
    // Three times the steps, measured.
    EXPECT_LT(2 * run_two_oscillators(name, 20).statistics.steps, run_two_oscillators("difsub", 20).statistics.steps);
  }
}

TEST(GrowthCaps, HoldInRuns) {
  const double cap[] = {0, 1e300, 2.6, 1.9, 1.5, 1.2};
  const BoundProblem<double> pendulum("pendulum", "index-3");
  double largest_ratio[2] = {0, 0};  // of order 2 to 5, relative to the cap
  for (int capped : {0, 1}) {
    const std::string method = capped ? "bdf" : "bdf:growth=false";
    const Outcome<double> result = run<double>(*pendulum.system, pendulum.start, method, 2, {1e-6, 1e-6, 1e-4});
    for (std::size_t i = 1; i < result.accepted.size(); ++i) {
      const auto& row = result.accepted[i];
      if (row.order > 1)
        largest_ratio[capped] = std::max(largest_ratio[capped], row.h / result.accepted[i - 1].h / cap[row.order]);
    }
  }
  EXPECT_LE(largest_ratio[1], 1 + 1e-12);
  EXPECT_GT(largest_ratio[0], 1);
}

// k + 2 steps of one order and one size before either changes; the last two share what is left of the interval. [Ren20,
// Sec. 4, on DIFSUB and LSODI]
TEST(EqualSteps, ComeBeforeEveryChange) {
  const BoundProblem<double> pendulum("pendulum", "index-3");
  const Tolerances<double> tolerances{1e-6, 1e-6, 1e-4};
  const auto stepper = Registry<Method>::instance().make("bdf:equal_steps=true", "")->stepper(*pendulum.system, {});
  stepper->control(tolerances);
  StepHistory<double> history;
  State<double> state = pendulum.start;
  ASSERT_TRUE(integrate_adaptive<double>(*stepper, state, 2, 0, {&history}).ok());
  const auto& rows = history.rows();
  int equal = 1, changes = 0;
  for (std::size_t i = 1; i + 3 < rows.size(); ++i) {
    const bool same = rows[i].h == rows[i - 1].h && rows[i].order == rows[i - 1].order;
    if (!same && rows[i - 1].outcome.accepted()) {
      EXPECT_GE(equal, rows[i - 1].order + 2) << "at t = " << rows[i].t;
      ++changes;
    }
    equal = same && rows[i - 1].outcome.accepted() ? equal + 1 : 1;
  }
  EXPECT_GT(changes, 10);
  // Fewer Jacobians a step, and more steps.
  const Outcome<double> usual = run<double>(*pendulum.system, pendulum.start, "bdf", 2, tolerances);
  EXPECT_GT(stepper->statistics().steps, usual.statistics.steps);
}

// The polynomial t^3 has differences up to order 3, so its smoothness is that of the step where they fall, and never
// more than k + 1.
TEST(Smoothness, IsTheOrderUpToWhichDifferencesFall) {
  const auto smoothness = [](const std::vector<double>& nabla, int k) {
    return numerical_smoothness(k, [&](int j) { return std::abs(nabla.at(static_cast<std::size_t>(j - 1))); });
  };
  EXPECT_EQ(smoothness({8, -4, 2, -1, 0.5}, 3), 4);
  EXPECT_EQ(smoothness({8, -4, 2, -3, 0.5}, 3), 2);
  EXPECT_EQ(smoothness({1, 2, 0, 0, 0}, 3), 0);
  EXPECT_EQ(smoothness({4, 4, 4, 5}, 2), 2);
}

// A smooth motion is smoother than the orders it is integrated with. A force that jumps at t = 1 makes differences grow
// in the step over it.
TEST(Smoothness, IsLostWhereTheForceJumps) {
  const BoundProblem<double> pendulum("pendulum", "index-3");
  double below = 0;
  const Outcome<double> smooth = run<double>(*pendulum.system, pendulum.start, "bdf", 2, {1e-6, 1e-6, 1e-4});
  for (const auto& row : smooth.accepted) below += row.smoothness < row.order ? 1 : 0;
  EXPECT_LT(below, 0.1 * static_cast<double>(smooth.accepted.size()));  // measured 0.061
  OdeSystem<double> ode(
      1, [](const double& t, const Vector<double>& y, Vector<double>& f) { f[0] = -y[0] + (t < 1 ? 0 : 5); },
      [](const double&, const Vector<double>&, Matrix<double>& J) { J(0, 0) = -1; });
  const Outcome<double> jump = run<double>(ode, start_state(ode, Vector<double>{{1.0}}), "bdf", 2, {1e-6, 1e-6, 1e-6});
  int before = 9, at = 9;
  for (const auto& row : jump.accepted) {
    if (row.t > 0.3 && row.t + row.h < 1) before = std::min(before, row.smoothness);
    if (row.t < 1 && row.t + row.h >= 1) at = row.smoothness;
  }
  EXPECT_GE(before, 1);
  EXPECT_EQ(at, 0);
}

// Order 6 where it is asked for, from the start up.
TEST(AdaptiveBdf, ReachesOrder6WhereItIsAllowed) {
  const BoundProblem<double> pendulum("pendulum", "index-3");
  const auto largest_order = [&](const std::string& method) {
    int largest = 0;
    for (const auto& row : run<double>(*pendulum.system, pendulum.start, method, 2, {1e-9, 1e-9, 1e-7}).accepted)
      largest = std::max(largest, row.order);
    return largest;
  };
  EXPECT_EQ(largest_order("bdf"), 5);
  EXPECT_EQ(largest_order("bdf:k=6"), 6);
}

// The first step of algorithm 4: h = 1e-5 (t_e - t_0), order 1, and both kept for the second.
TEST(AdaptiveBdf, StartsAsAlgorithm4) {
  const BoundProblem<double> pendulum("pendulum", "index-3");
  const Outcome<double> result = run<double>(*pendulum.system, pendulum.start, "bdf", 2, {1e-4, 1e-4, 1e-2});
  for (int i : {0, 1}) {
    EXPECT_EQ(result.accepted[i].order, 1);
    EXPECT_NEAR(result.accepted[i].h, 2e-5, 1e-18);
  }
  EXPECT_GT(result.time_share(3, 5), 0.5);  // measured 0.95
}

template <class T>
Real50 pendulum_error(const Outcome<T>& result, const BoundProblem<T>& pendulum, double t) {
  const Motion exact = *pendulum.problem->independent_solution(Real50(t), 40);
  Real50 error(0);
  for (Index i = 0; i < 2; ++i) error = std::max(error, Real50(abs(Real50(result.state.y[i]) - exact.q[i])));
  return error;
}

// An error per step of the tolerance adds up over the steps: some hundred tolerances at most, and in proportion.
TEST(AdaptiveBdf, FollowsItsTolerance) {
  for (const char* formulation : {"index-3", "ggl", "stabilized-index-1", "index-1"})
    for (const std::string formula : {"variable", "quasi-constant"}) {
      const BoundProblem<double> pendulum("pendulum", formulation);
      std::vector<double> errors;
      for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
        const Outcome<double> result = run<double>(*pendulum.system, pendulum.start, "bdf:formula=" + formula, 2,
                                                   {tolerance, tolerance, tolerance});
        errors.push_back(static_cast<double>(pendulum_error(result, pendulum, 2)));
        EXPECT_LT(errors.back(), 300 * tolerance) << formulation << ", " << formula;
      }
      EXPECT_LT(errors[2], 1e-2 * errors[0]) << formulation << ", " << formula;  // 1e-4 in proportion
    }
}

// One Jacobian over several steps, and two to four iterations a step.
TEST(AdaptiveBdf, KeepsItsJacobian) {
  const BoundProblem<double> pendulum("pendulum", "index-3");
  const Outcome<double> result = run<double>(*pendulum.system, pendulum.start, "bdf", 2, {1e-6, 1e-6, 1e-4});
  const Statistics& s = result.statistics;
  EXPECT_LT(2 * s.jacobians, s.steps);
  EXPECT_LT(s.newton_iterations, 5 * s.steps);
  EXPECT_EQ(s.residuals, s.newton_iterations);
  EXPECT_EQ(s.factorizations, s.jacobians);
  EXPECT_EQ(s.failed, 0);
}

// The filter of eq. (80) is a projection: C_q eps = 0 after it, and an error along the constraints stays what it is.
TEST(VelocityFilter, KeepsWhatIsTangential) {
  const BoundProblem<double> two_link("two-link-manipulator", "index-3");
  const Index n = two_link.layout.n, m = two_link.layout.m;
  const auto linearization = two_link.system->linearization();
  const auto matrix = linearization->real_matrix();
  linearization->evaluate(0, two_link.start.y, two_link.start.ydot);
  ASSERT_TRUE(matrix->factorize(1e-3).ok());
  Vector<double> C(m);
  Matrix<double> C_q(m, n);
  two_link.model->constraint(0, two_link.layout.q(two_link.start.y), C, C_q);
  RandomNumbers random(5);
  Vector<double> x = random.vector<double>(two_link.system->size());
  const Vector<double> before = x;
  matrix->make_tangential(x);
  EXPECT_LT(largest(C_q * x.segment(n, n)), 1e-12);
  EXPECT_LT(largest(x.head(n) - before.head(n)), 1e-16);  // untouched
  const Vector<double> once = x;
  matrix->make_tangential(x);
  EXPECT_LT(largest(x - once), 1e-12);
}

// Without it the velocities' amplified position errors would be taken for errors of the solution: on ggl, which needs
// no filter, as many steps do.
TEST(VelocityFilter, MakesIndex3AsCheapAsTheStabilisedForm) {
  const Tolerances<double> tolerances{1e-6, 1e-6, 1e-4};
  const BoundProblem<double> index_3("pendulum", "index-3"), ggl("pendulum", "ggl");
  const double filtered = run<double>(*index_3.system, index_3.start, "bdf", 2, tolerances).statistics.steps;
  const double plain = run<double>(*ggl.system, ggl.start, "bdf", 2, tolerances).statistics.steps;
  EXPECT_NEAR(filtered / plain, 1, 0.1);  // measured 1: as many steps
}

// ---------------------------------------------------------------- redundant constraints

TEST(AdaptiveBdf, TakesRedundantConstraints) {
  const BoundProblem<double> explicit_form("rowing-boat", "index-1");
  const auto reference =
      Registry<Method>::instance().make("runge-kutta:tableau=cooper-verner", "")->stepper(*explicit_form.system, {});
  State<double> exact = explicit_form.start;
  ASSERT_TRUE(integrate<double>(*reference, exact, 0.25, 1.0 / 256, {}).ok());
  for (const char* formulation : {"index-3", "ggl", "index-1"}) {
    const BoundProblem<double> boat("rowing-boat", formulation);
    const Outcome<double> result = run<double>(*boat.system, boat.start, "bdf", 0.25, {1e-7, 1e-7, 1e-6});
    const Index n = boat.layout.n;
    // As many tolerances as above.
    EXPECT_LT(largest(result.state.y.head(n) - exact.y.head(n)), 300 * 1e-7) << formulation;
  }
}

#ifndef DAELAB_DOUBLE_ONLY
// What only engines and models in 50 digits can show.

TEST(AdaptiveBdf, ReachesTwelveDigitsIn50DigitArithmetic) {
  const BoundProblem<Real50> pendulum("pendulum", "index-3");
  const Real50 tolerance("1e-12");
  const Outcome<Real50> result =
      run<Real50>(*pendulum.system, pendulum.start, "bdf", Real50(0.5), {tolerance, tolerance, tolerance});
  EXPECT_LT(pendulum_error(result, pendulum, 0.5), 300 * tolerance);  // as above, in proportion
  EXPECT_GT(result.time_share(5, 5), 0.8);                            // such a tolerance wants the highest order
}
#endif

}  // namespace TEST_FILE
}  // namespace daelab
