// Adams methods of changing order: the formula against the polynomials it is exact for and against the constant steps
// of adams-pece, its selection of orders, its estimates, its restarts and forms. Orders of fixed steps are in
// explicit_methods_test.cpp.
//
// [SG75] Shampine, Gordon, Computer Solution of Ordinary Differential Equations, Freeman, 1975.
// [HNW93] Hairer, Nørsett, Wanner, Solving Ordinary Differential Equations I, 2nd ed., Springer, 1993.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "analysis/order_estimate.hpp"
#include "analysis/stability_sector.hpp"
#include "core/integration/integrate.hpp"
#include "core/integration/observers.hpp"
#include "lab/runs/run.hpp"
#include "methods/multistep/adams_differences.hpp"
#include "methods/multistep/adams_order_selection.hpp"
#include "methods/multistep/pece_stability.hpp"
#include "tests/method_support.hpp"
#include "tests/numeric_support.hpp"
#include "tests/ode_system.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;

// ---------------------------------------------------------------- the formula

// A past of slopes f on a grid that is not even; phi by their definition as divided differences times the distances.
template <class F>
AdamsPast<double> past_of(const std::vector<double>& times, const F& f, int columns) {
  AdamsPast<double> past(1, columns);
  const int known = static_cast<int>(times.size());
  std::vector<double> divided;
  for (const double t : times) divided.push_back(f(t));
  double product = 1;
  for (int j = 0; j < known; ++j) {
    past.phi(0, j) = divided[0] * product;
    for (int i = 0; i + j + 1 < known; ++i) divided[i] = (divided[i] - divided[i + 1]) / (times[i] - times[i + j + 1]);
    if (j + 1 < known) past.d[j + 1] = times[0] - times[j + 1], product *= past.d[j + 1];
  }
  past.known = known;
  return past;
}
const std::vector<double> uneven{1.0, 0.9, 0.65, 0.6, 0.3, 0.1};

// With k slopes predictor and interpolant integrate polynomials of degree k - 1 exactly.
TEST(AdamsDifferences, IntegratePolynomialsOverUnevenGrids) {
  const int columns = adams_columns(5), known = static_cast<int>(uneven.size());
  for (int degree = 0; degree < known; ++degree) {
    const auto f = [degree](double t) { return (degree + 1) * std::pow(t, degree); };
    const AdamsPast<double> past = past_of(uneven, f, columns);
    for (const double s : {0.2, -0.05, -0.3}) {
      const double exact = std::pow(1 + s, degree + 1) - 1;
      const auto w = adams_interpolation_weights(past, known - 1, s);
      double sum = 0;
      for (int j = 0; j < known; ++j) sum += w[static_cast<std::size_t>(j)] * past.phi(0, j);
      EXPECT_NEAR(sum, exact, 1e-13) << degree << ", " << s;
    }
    AdamsWeights<double> weights;
    weights.find(past, 0.2);
    double predicted = 0;
    for (int j = 0; j < known; ++j) {
      const auto at = static_cast<std::size_t>(j);
      predicted += 0.2 * weights.g[at] * weights.beta[at] * past.phi(0, j);
    }
    EXPECT_NEAR(predicted, std::pow(1.2, degree + 1) - 1, 1e-13) << degree;  // round-off of six terms
  }
}

// Even grids give gamma_j = int_0^1 binomial(s + j - 1, j) ds: 1, 1/2, 5/12, 3/8, 251/720, 95/288. [HNW93, Table
// III.1.1]
TEST(AdamsDifferences, HaveTheConstantsOfEqualSteps) {
  const AdamsPast<double> past = past_of(
      {0, -0.1, -0.2, -0.3, -0.4, -0.5}, [](double t) { return std::exp(t); }, adams_columns(5));
  AdamsWeights<double> weights;
  weights.find(past, 0.1);
  const double gamma[] = {1, 1.0 / 2, 5.0 / 12, 3.0 / 8, 251.0 / 720, 95.0 / 288};
  for (std::size_t j = 0; j < 6; ++j) EXPECT_NEAR(weights.g[j], gamma[j], 1e-15) << j;
  for (std::size_t j = 0; j < 6; ++j) EXPECT_NEAR(weights.beta[j], 1, 1e-15) << j;
}

State<double> oscillator_start(OdeSystem<double>& ode) { return start_state<double>(ode, Vector<double>{{1.0, 0.5}}); }

// One start, then the same formula: with equal steps adams-pece with its corrector of order k + 1.
TEST(VariableAdams, IsAdamsPeceWithEqualSteps) {
  OdeSystem<double> ode = forced_oscillator<double>();
  for (const int k : {1, 2, 4, 8}) {
    const auto end = [&](const std::string& method) {
      State<double> state = oscillator_start(ode);
      EXPECT_TRUE(integrate<double>(*method_of(method)->stepper(ode, {}), state, 2, 1.0 / 64, {}).ok());
      return state.y;
    };
    const Vector<double> variable = end(fmt::format("adams-variable:k={}", k));
    const Vector<double> constant = end(fmt::format("adams-pece:k={},corrector={},start=cooper-verner", k, k + 1));
    // The starts differ, by k - 1 steps of order k and more; beside that it is round-off.
    const double starts = (k - 1) * std::pow(1.0 / 64, k + 1);
    EXPECT_LT((variable - constant).cwiseAbs().maxCoeff(), 2 * starts + 1e-13) << k;
  }
}

// Steps that change by turns: the order stays where adams-pece starts anew at every change.
TEST(VariableAdams, KeepsItsOrderWithStepsThatChange) {
  OdeSystem<double> ode = forced_oscillator<double>();
  OdeSystem<Real50> oracle = forced_oscillator<Real50>();
  const Vector<Real50> exact = ode_solution(oracle, Vector<Real50>{{Real50(1), Real50(1) / 2}}, Real50(1));
  const auto error = [&](int steps) {
    State<double> state = oscillator_start(ode);
    const FixedSteps<double> pattern(1.0 / steps, {0.8, 1.2, 1.0, 1.1, 0.9});
    EXPECT_TRUE(integrate<double>(*method_of("adams-variable:k=3")->stepper(ode, {}), state, 1, pattern, {}).ok());
    return static_cast<double>(largest(state.y.cast<Real50>() - exact));
  };
  EXPECT_NEAR(std::log2(error(160) / error(320)), 4, 0.15);
}

// Orders 10 to 13, beyond those of explicit_methods_test.cpp: they show with smaller steps, and in 50 digits alone.
#ifndef DAELAB_DOUBLE_ONLY
class HighAdamsOrder : public testing::TestWithParam<int> {};
TEST_P(HighAdamsOrder, IsKPlus1In50Digits) {
  const int k = GetParam();
  OdeSystem<Real50> ode = forced_oscillator<Real50>();
  const Vector<Real50> y0{{Real50(1), Real50(1) / 2}};
  const Vector<Real50> exact = ode_solution(ode, y0, Real50(1));
  std::vector<OrderPoint> points;
  for (const int steps : {512, 768, 1024, 1536}) {
    State<Real50> state = start_state<Real50>(ode, y0);
    const Real50 h = Real50(1) / steps;
    const auto stepper = method_of(fmt::format("adams-variable:k={}", k))->stepper(ode, {});
    ASSERT_TRUE(integrate<Real50>(*stepper, state, Real50(1), h, {}).ok());
    points.push_back(order_point(h, Real50((state.y - exact).cwiseAbs().maxCoeff())));
  }
  const OrderEstimate estimate = estimate_order(points);
  EXPECT_TRUE(estimate.decided) << estimate.statement;
  EXPECT_NEAR(estimate.order, k + 1, 0.15) << estimate.statement;
}
INSTANTIATE_TEST_SUITE_P(Adams, HighAdamsOrder, testing::Range(9, 13));
#endif

// ---------------------------------------------------------------- orders and steps

AdamsErrors errors(int k, double now, double one_less, double two_less, double one_more) {
  return {k, now, one_less, two_less, one_more};
}
constexpr double unknown = std::numeric_limits<double>::infinity();

TEST(AdamsOrderSelection, FollowsShampineAndGordon) {
  const auto next = [](const AdamsErrors& e, bool rises = false) { return next_adams_step(e, 12, rises); };
  EXPECT_EQ(next(errors(4, 0.4, 0.3, 0.39, 0.1)).order, 3) << "both lower ones are not larger";
  EXPECT_EQ(next(errors(4, 0.4, 0.3, 0.5, unknown)).order, 4);
  EXPECT_EQ(next(errors(4, 0.4, 0.5, 0.6, 0.3)).order, 5);
  EXPECT_EQ(next(errors(4, 0.4, 0.5, 0.6, unknown)).order, 4) << "before k + 1 equal steps";
  EXPECT_EQ(next(errors(12, 0.4, 0.5, 0.6, 0.3)).order, 12);
  EXPECT_EQ(next(errors(1, 0.4, unknown, unknown, 0.21)).order, 1) << "the higher one must be half as large";
  EXPECT_EQ(next(errors(1, 0.4, unknown, unknown, 0.19)).order, 2);
  EXPECT_EQ(next(errors(2, 0.4, 0.2, unknown, 0.1)).order, 1);
  // 0.01 2^5 <= 0.5 < 0.02 2^5, and (0.5/0.8)^(1/5) = 0.910, at most 0.9.
  EXPECT_EQ(next(errors(4, 0.01, 1, 1, unknown)).ratio, 2);
  EXPECT_EQ(next(errors(4, 0.02, 1, 1, unknown)).ratio, 1);
  EXPECT_EQ(next(errors(4, 0.8, 1, 1, unknown)).ratio, 0.9);
  const AdamsChoice start = next(errors(1, 0.4, unknown, unknown, unknown), true);
  EXPECT_EQ(start.order, 2);
  EXPECT_EQ(start.ratio, 2);
  EXPECT_TRUE(start.rises);
  EXPECT_FALSE(next(errors(4, 0.4, 0.3, 0.39, unknown), true).rises);
}

TEST(AdamsOrderSelection, HalvesAStepThatFailed) {
  EXPECT_EQ(adams_step_again(errors(4, 3, 5, 6, unknown), 0).order, 4);
  EXPECT_EQ(adams_step_again(errors(4, 3, 2, 1, unknown), 0).order, 3);
  EXPECT_EQ(adams_step_again(errors(4, 3, 5, 6, unknown), 1).ratio, 0.5);
  const AdamsChoice third = adams_step_again(errors(4, 8, 9, 9, unknown), 2);
  EXPECT_EQ(third.order, 1);
  EXPECT_EQ(third.ratio, 0.25);  // sqrt(0.5/8)
}

struct Adaptive {
  State<double> state;
  Statistics statistics;
  std::vector<StepHistory<double>::Row> rows;
};
Adaptive run(const std::string& method, System<double>& system, State<double> state, double t_end, double tolerance) {
  const auto stepper = method_of(method)->stepper(system, {});
  stepper->control({tolerance, tolerance, tolerance});
  StepHistory<double> history;
  const Status status = integrate_adaptive<double>(*stepper, state, t_end, 0, {&history});
  EXPECT_TRUE(status.ok()) << status.cause;
  return {std::move(state), stepper->statistics(), history.rows()};
}

// Order 2 at first, one more with every step of the start, high ones at small tolerances, and never two at once.
TEST(VariableAdams, RaisesItsOrder) {
  OdeSystem<double> ode = forced_oscillator<double>();
  const Adaptive fine = run("adams-variable", ode, oscillator_start(ode), 20, 1e-11);
  int largest = 0;
  for (std::size_t i = 0; i < fine.rows.size(); ++i) {
    largest = std::max(largest, fine.rows[i].order);
    if (i > 0) {
      EXPECT_LE(fine.rows[i].order, fine.rows[i - 1].order + 1);
    }
  }
  EXPECT_EQ(fine.rows[0].order, 2);
  EXPECT_EQ(fine.rows[1].order, 3);
  EXPECT_GE(largest, 9);  // measured
  const Adaptive limited = run("adams-variable:k=3", ode, oscillator_start(ode), 20, 1e-11);
  for (const auto& row : limited.rows) EXPECT_LE(row.order, 4);
  EXPECT_GT(limited.statistics.residuals, 3 * fine.statistics.residuals);
}

// The error at the end, in tolerances: what accumulates over 20 s of a limit cycle. And two evaluations an attempt, one
// for the start of the first step's size.
TEST(VariableAdams, MeetsItsTolerance) {
  OdeSystem<double> ode = forced_oscillator<double>();
  const Adaptive exact = run("runge-kutta:tableau=verner-87", ode, oscillator_start(ode), 20, 1e-13);
  for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10}) {
    const Adaptive result = run("adams-variable", ode, oscillator_start(ode), 20, tolerance);
    EXPECT_LT((result.state.y - exact.state.y).cwiseAbs().maxCoeff(), 100 * tolerance) << tolerance;
    const Statistics& s = result.statistics;
    EXPECT_LE(s.residuals, 2 * (s.steps + s.rejected) + 20);  // some that look for stiffness
  }
}

// Fewer evaluations than Dormand's and Prince's method at small tolerances: what it is made for.
TEST(VariableAdams, TakesFewerEvaluationsThanDormandPrince) {
  const auto evaluations = [](const char* method) {
    const BoundProblem<double> arm("two-link-manipulator", "index-1");
    return run(method, *arm.system, arm.start, 1, 1e-10).statistics.residuals;
  };
  EXPECT_LT(2 * evaluations("adams-variable"), evaluations("dormand-prince"));
}

class AdamsOnForm : public testing::TestWithParam<std::string> {};
// To a hundred tolerances: errors of all steps add up.
TEST_P(AdamsOnForm, FollowsThePendulum) {
  const BoundProblem<double> pendulum("pendulum", GetParam());
  const Motion exact = *pendulum.problem->independent_solution(Real50(1), 40);
  const Adaptive result = run("adams-variable", *pendulum.system, pendulum.start, 1, 1e-9);
  for (Index i = 0; i < 2; ++i) EXPECT_NEAR(result.state.y[i], static_cast<double>(exact.q[i]), 1e-7) << i;
}
INSTANTIATE_TEST_SUITE_P(Forms, AdamsOnForm,
                         testing::Values("index-1", "projected", "penalty", "baumgarte", "null-space"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// The same numbers with and without a stop in the middle, from a copied state.
TEST(VariableAdams, GoesOnFromACopy) {
  OdeSystem<double> ode = forced_oscillator<double>();
  const auto method = method_of("adams-variable");
  const auto one = method->stepper(ode, {}), other = method->stepper(ode, {});
  one->control({1e-6, 1e-6, 1e-6}), other->control({1e-6, 1e-6, 1e-6});
  State<double> state = oscillator_start(ode);
  state.memory = one->make_memory();
  State<double> next = state;
  double h = 1e-3;
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(one->step(state, h, next).ok());
    const StepDecision<double> decision = one->judge(state, h, next, 0);
    State<double> again = state;
    ASSERT_TRUE(other->step(state, h, again).ok());
    EXPECT_EQ(other->judge(state, h, again, 0).h, decision.h);
    EXPECT_EQ(again.y, next.y);
    EXPECT_EQ(again.memory, next.memory);
    ASSERT_TRUE(decision.accepted);
    state = next, h = decision.h;
  }
}

// ---------------------------------------------------------------- stability

// The grid of 0.02 below the interval that the report card finds from the stability polynomial.
TEST(PeceStability, IsThatOfTheCard) {
  for (const int k : {1, 2, 3, 4, 8, 12}) {
    const auto intervals = stability_intervals(method_of(fmt::format("adams-variable:k={}", k))->form());
    ASSERT_TRUE(intervals);
    EXPECT_LE(pece_stability_limit(k), intervals->real + 1e-9) << k;
    EXPECT_GT(pece_stability_limit(k), intervals->real - 0.021) << k;
  }
  EXPECT_NEAR(pece_stability_limit(1), 2, 0.021);  // Heun's method
}

TEST(VariableAdams, SaysWhereStabilityLimitsItsSteps) {
  const Json record = Run::bind({{"problem", "prothero-robinson"}, {"method", "adams-variable"}, {"rtol", "1e-4"}}, "")
                          ->execute()
                          .record;
  ASSERT_EQ(record["status"], "ok") << record["cause"];
  EXPECT_THAT(record["warnings"].dump(), HasSubstr("stability limits the steps"));
}

TEST(VariableAdams, RefusesOtherOrders) {
  for (const char* k : {"0", "13"})
    EXPECT_THAT([k] { method_of(fmt::format("adams-variable:k={}", k)); },
                testing::ThrowsMessage<InputError>(HasSubstr("allowed: 1 to 12")));
}

}  // namespace TEST_FILE
}  // namespace daelab
