#include "analysis/order_estimate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <numeric>

#include "core/base/scalar.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

// n points from h0 on, each h `ratio` times the one before.
std::vector<OrderPoint> sample(double h0, double ratio, int n, const std::function<double(double h, int i)>& error) {
  std::vector<OrderPoint> points;
  for (int i = 0; i < n; ++i) {
    const double h = h0 * std::pow(ratio, i);
    points.push_back(order_point(h, error(h, i)));
  }
  return points;
}

// Halved steps with these local slopes, as tables of convergence print them.
std::vector<OrderPoint> from_slopes(const std::vector<double>& slopes) {
  std::vector<OrderPoint> points = {order_point(0.02, 1e-3)};
  for (const double slope : slopes) {
    const auto [log_h, log_error] = points.back();
    points.push_back({log_h - std::log(2), log_error - slope * std::log(2)});
  }
  return points;
}

// A repeatable sequence in (-1, 1) that looks like round-off.
double noise(int i) { return std::sin(12.9898 * (i + 1) * (i + 1)); }

void expect_consistent_counts(const OrderEstimate& e) {
  EXPECT_EQ(e.total, e.used + e.pre_asymptotic + e.at_floor + e.failed + e.shortened) << e.statement;
  EXPECT_EQ(e.used, static_cast<int>(e.used_points.size()));
}

// Exact powers of h, fitted to round-off.
TEST(OrderEstimate, ActualStepsNotHalves) {
  const auto e = estimate_order(sample(0.3, 0.38, 6, [](double h, int) { return 7 * h * h * h; }));
  EXPECT_TRUE(e.decided);
  EXPECT_NEAR(e.order, 3, 1e-12);
  EXPECT_NEAR(e.residual, 0, 1e-12);
  EXPECT_EQ(e.statement, "p = 3.00 ± 0.01 from 6 of 6 points");
}

TEST(OrderEstimate, IrregularStepsInAnyOrder) {
  std::vector<OrderPoint> points;
  for (const double h : {0.01, 0.1, 0.03, 0.07, 0.002}) points.push_back(order_point(h, h * h));
  const auto e = estimate_order(points);
  EXPECT_NEAR(e.order, 2, 1e-12);                          // round-off
  EXPECT_THAT(e.used_points, ElementsAre(1, 3, 2, 0, 4));  // coarse to fine, indices of the input
}

// Measured for the index-3 Padé block with r = 4 and r = 3, h = 1/50, 1/100, ...
TEST(OrderEstimate, MeasuredSlopesOfOrderFive) {
  const auto e = estimate_order(from_slopes({4.55, 4.89, 4.98, 5.00}), {.theory = 5.0});
  EXPECT_TRUE(e.decided);
  // The last slope is 5.00; the first ones pull the fit by less than 0.05.
  EXPECT_LE(std::abs(e.order - 5), std::max(e.half_width, 0.05));
  EXPECT_LT(e.half_width, 0.15);  // tells 5 from the claimed 4
  EXPECT_THAT(e.statement, HasSubstr("pre-asymptotic"));
  EXPECT_THAT(e.statement, testing::EndsWith("; theory 5: agrees"));
  expect_consistent_counts(e);
}

TEST(OrderEstimate, MeasuredSlopesOfOrderThree) {
  const auto e = estimate_order(from_slopes({2.95, 2.99, 3.00, 3.00}));
  EXPECT_TRUE(e.decided);
  // Measured: 0.003 off, half-width 0.02.
  EXPECT_LE(std::abs(e.order - 3), std::max(e.half_width, 0.05));
  EXPECT_LT(e.half_width, 0.1);
}

// Below 1e-13 the h^6 data is noise: h = 1/64 and finer.
TEST(OrderEstimate, RoundOffFloorIsFound) {
  const auto e =
      estimate_order(sample(0.5, 0.5, 10, [](double h, int i) { return std::abs(std::pow(h, 6) + 1e-13 * noise(i)); }));
  EXPECT_TRUE(e.decided);
  EXPECT_NEAR(e.order, 6, 0.02);  // measured 0.0006 off
  EXPECT_GE(e.at_floor, 3);
  EXPECT_EQ(e.used_points.front(), 0u);
  expect_consistent_counts(e);
}

TEST(OrderEstimate, ConstantFloorOfAnInexactReference) {
  const auto e = estimate_order(sample(0.5, 0.5, 10, [](double h, int) { return std::pow(h, 4) + 1e-8; }));
  EXPECT_NEAR(e.order, 4, std::max(e.half_width, 0.03));  // measured 0.003 off
  EXPECT_GE(e.at_floor, 3);
}

// Round-off grows like 1/h once it dominates.
TEST(OrderEstimate, RoundOffThatGrowsAgain) {
  const auto e = estimate_order(sample(0.5, 0.5, 12, [](double h, int) { return std::pow(h, 6) + 1e-15 / h; }));
  EXPECT_NEAR(e.order, 6, 0.03);  // measured 0.001 off
  EXPECT_GE(e.at_floor, 4);
}

// Round-off that cancels makes the last error too small; it must not raise the order.
TEST(OrderEstimate, LuckyLastPoint) {
  const auto e = estimate_order(from_slopes({4.02, 4.01, 4.00, 4.00, 4.00, 6.5}));
  EXPECT_NEAR(e.order, 4, 0.03);  // measured 0.002 off
  EXPECT_EQ(e.at_floor, 1);
}

TEST(OrderEstimate, KnownFloorExcludesPointsNearIt) {
  const auto data = [](double h, int) { return std::pow(h, 2) + 1e-6; };
  const auto points = sample(0.1, 0.5, 7, data);  // ends at 3.4e-6: no plateau yet
  const auto blind = estimate_order(points);
  const auto informed = estimate_order(points, {.log10_floor = -6});
  EXPECT_EQ(informed.at_floor, 1);  // below 1e-5
  EXPECT_LE(std::abs(informed.order - 2), std::abs(blind.order - 2));
  EXPECT_NEAR(informed.order, 2, std::max(0.03, informed.half_width));
  expect_consistent_counts(informed);
}

TEST(OrderEstimate, PreAsymptoticCoarsePoints) {
  const auto e =
      estimate_order(sample(0.2, 0.5, 9, [](double h, int) { return std::pow(h, 5) * (1 + 30 * h + 400 * h * h); }));
  EXPECT_TRUE(e.decided);
  EXPECT_LE(std::abs(e.order - 5), e.half_width);
  EXPECT_GE(e.pre_asymptotic, 3);
  EXPECT_EQ(e.at_floor, 0);
  expect_consistent_counts(e);
}

// Measured for the Padé block with r = 3 on index 1: the slopes 3.55, 4.76, 4.40, ..., 4.13 still fall towards 4, which
// a coarse point far off hides from a fit of the next term over all of them.
TEST(OrderEstimate, CoarsePointThatHidesADrift) {
  std::vector<OrderPoint> points;
  for (const auto& [n, error] : {std::pair{50, 2.3722e-5},
                                 {71, 6.8276e-6},
                                 {100, 1.3369e-6},
                                 {141, 2.9485e-7},
                                 {200, 6.4469e-8},
                                 {283, 1.4544e-8},
                                 {400, 3.3633e-9},
                                 {566, 7.8910e-10},
                                 {800, 1.8884e-10}})
    points.push_back(order_point(1.0 / n, error));
  const auto e = estimate_order(points, {.theory = 4.0});
  EXPECT_TRUE(e.decided);
  EXPECT_LE(std::abs(e.order - 4), e.half_width) << e.statement;
  EXPECT_EQ(e.agreement, "agrees");
}

TEST(OrderEstimate, SaturatedCoarseErrors) {
  const auto e = estimate_order(sample(0.5, 0.5, 9, [](double h, int) { return std::min(2.1, 2e5 * std::pow(h, 4)); }));
  EXPECT_NEAR(e.order, 4, 1e-12);  // round-off: the points that are left are an exact power
  EXPECT_GE(e.pre_asymptotic, 3);
}

// Order reduction: h^4 on coarse steps, h^2 in the limit. The fine regime is the order.
TEST(OrderEstimate, SlowerFineRegimeIsNotAFloor) {
  const auto e = estimate_order(sample(0.5, 0.5, 11, [](double h, int) { return std::pow(h, 4) + 1e-3 * h * h; }));
  EXPECT_LE(std::abs(e.order - 2), std::max(e.half_width, 0.05));  // measured 0.007 off
  EXPECT_EQ(e.at_floor, 0);
}

// As sharp as it can be: h^5 turns into h just before the last four points.
TEST(OrderEstimate, SuddenSlowRegimeIsNotAFloor) {
  const auto e = estimate_order(sample(0.5, 0.5, 9, [](double h, int) { return std::pow(h, 5) + 3e-6 * h; }));
  EXPECT_TRUE(e.decided);
  EXPECT_LE(std::abs(e.order - 1), e.half_width);
  EXPECT_EQ(e.at_floor, 0);
}

// The sign of the error alternates between two constants, 0.7 and 1.3.
TEST(OrderEstimate, ZigzagWidensTheInterval) {
  const auto e = estimate_order(sample(0.5, 0.5, 8, [](double h, int i) { return (i % 2 ? -1.3 : 0.7) * h * h * h; }));
  EXPECT_TRUE(e.decided);
  EXPECT_LE(std::abs(e.order - 3), e.half_width);
  // The logarithms zigzag by log(1.3/0.7)/2 = 0.31; the half-width was measured, 0.29.
  EXPECT_GT(e.half_width, 0.1);
  EXPECT_GT(e.residual, 0.2);
}

TEST(OrderEstimate, WildZigzagIsUndecided) {
  const auto e = estimate_order(sample(0.5, 0.5, 8, [](double h, int i) { return (i % 2 ? 1.9 : 0.1) * h * h * h; }));
  EXPECT_FALSE(e.decided);
  EXPECT_THAT(e.statement, StartsWith("undecided: "));
}

TEST(OrderEstimate, TooFewPoints) {
  const auto e = estimate_order(sample(0.1, 0.5, 2, [](double h, int) { return h; }), {.failed = 1});
  EXPECT_FALSE(e.decided);
  EXPECT_TRUE(std::isnan(e.order));
  EXPECT_EQ(e.statement, "undecided: 2 of 3 points (1 failed) usable, at least 3 are needed");
  EXPECT_FALSE(estimate_order({}).decided);
}

TEST(OrderEstimate, GrowingErrorsKeepTheirSign) {
  const auto e = estimate_order(sample(0.5, 0.5, 6, [](double h, int) { return 1e-12 / h; }));
  EXPECT_TRUE(e.decided);
  EXPECT_NEAR(e.order, -1, 1e-12);  // round-off
  EXPECT_THAT(e.statement, HasSubstr("grow as h shrinks"));
}

TEST(OrderEstimate, ErrorsThatDoNotDecreaseAreUndecided) {
  const auto e = estimate_order(sample(0.5, 0.5, 8, [](double, int i) { return 1e-12 * (1 + 0.5 * noise(i)); }));
  EXPECT_FALSE(e.decided);
  EXPECT_THAT(e.statement, HasSubstr("do not decrease"));
}

TEST(OrderEstimate, FailedRunsAreCounted) {
  auto points = sample(0.1, 0.5, 5, [](double h, int) { return h * h * h; });
  points[0].log_error = std::numeric_limits<double>::quiet_NaN();  // the coarsest run diverged
  const auto e = estimate_order(points, {.failed = 1});
  EXPECT_NEAR(e.order, 3, 1e-12);  // round-off
  EXPECT_EQ(e.failed, 2);
  EXPECT_EQ(e.statement, "p = 3.00 ± 0.02 from 4 of 6 points (2 failed)");
  expect_consistent_counts(e);
}

TEST(OrderEstimate, ZeroErrorsAreAtTheFloor) {
  const auto zero = estimate_order(sample(0.1, 0.5, 5, [](double, int) { return 0.0; }));
  EXPECT_FALSE(zero.decided);
  EXPECT_EQ(zero.statement, "undecided: every error is zero or at the floor");

  const auto last = estimate_order(sample(0.1, 0.5, 6, [](double h, int i) { return i == 5 ? 0.0 : h * h; }));
  EXPECT_NEAR(last.order, 2, 1e-12);  // round-off
  EXPECT_EQ(last.at_floor, 1);
}

TEST(OrderEstimate, FiftyDigitErrorsBelowTheRangeOfDouble) {
  std::vector<OrderPoint> points;
  for (int i = 1; i <= 6; ++i) {
    const Real50 h = Real50(1) / pow(Real50(10), 10 * i);
    points.push_back(order_point<Real50>(h, pow(h, 7)));  // down to 1e-420
  }
  EXPECT_NEAR(estimate_order(points).order, 7, 1e-12);  // round-off
}

TEST(OrderEstimate, RepeatedStepCountsOnce) {
  auto points = sample(0.1, 0.5, 5, [](double h, int) { return h * h; });
  points.push_back(points.back());
  EXPECT_EQ(estimate_order(points).total, 5);
}

TEST(OrderEstimate, RejectsStepsThatAreNotPositive) {
  EXPECT_THROW(order_point(0.0, 1e-3), InputError);
  EXPECT_THROW(order_point(-0.1, 1e-3), InputError);
}

// Coverage over many seeds of what runs look like: two terms of the expansion and a floor.
TEST(OrderEstimate, HalfWidthIsHonestOverManySamples) {
  int wrong = 0;
  const int trials = 400;
  for (int trial = 0; trial < trials; ++trial) {
    const int p = 2 + trial % 4;
    const auto e = estimate_order(sample(0.1, 0.5, 9, [&](double h, int i) {
      return std::pow(h, p) * (1 + 5 * noise(trial) * h) * (1 + 0.01 * noise(7 * trial + i)) +
             1e-13 * noise(11 * trial + 3 * i);
    }));
    wrong += !e.decided || std::abs(e.order - p) > e.half_width + 0.03;
  }
  EXPECT_LE(wrong, trials / 50);  // 95 % would be met with 20; the 0.03 allows for round verdicts
}

TEST(OrderEstimate, JsonCarriesNullForAnOrderThatIsNotThere) {
  const Json json = estimate_order({});
  EXPECT_TRUE(json["order"].is_null());
  EXPECT_EQ(json["decided"], false);
  const Json decided = estimate_order(from_slopes({3, 3, 3}));
  EXPECT_NEAR(decided["order"].get<double>(), 3, 1e-12);  // round-off
  EXPECT_EQ(decided["used_points"].size(), 4u);
}

// The floor is seen on any grid: nine points; h^6 leaves the last three below 1e-13.
TEST(OrderEstimate, FloorOnANonHalvingGrid) {
  const auto e =
      estimate_order(sample(0.4, 0.38, 9, [](double h, int i) { return std::abs(std::pow(h, 6) + 1e-13 * noise(i)); }));
  EXPECT_TRUE(e.decided);
  EXPECT_NEAR(e.order, 6, 0.02);  // measured 0.0001 off
  EXPECT_GE(e.at_floor, 3);
  expect_consistent_counts(e);
}

// Neighbouring steps 10 % apart: an error of 5 % is half an order between two of them, but not over all.
TEST(OrderEstimate, NoiseOnAFineGrid) {
  const auto e =
      estimate_order(sample(0.1, 0.9, 12, [](double h, int i) { return h * h * h * (1 + 0.05 * noise(i)); }));
  EXPECT_LE(std::abs(e.order - 3), e.half_width);
  EXPECT_GT(e.half_width, 0.03);  // 5 % over the range of h, log(0.9^-11) = 1.16, is 0.04
}

// Two terms of opposite sign: the error vanishes at h = 1/10 on its way from order 3 to order 2.
TEST(OrderEstimate, ErrorThatPassesThroughZero) {
  const auto e = estimate_order(sample(0.8, 0.5, 11, [](double h, int) { return h * h * (h - 0.1); }));
  EXPECT_TRUE(e.decided);
  EXPECT_LE(std::abs(e.order - 2), e.half_width);
  EXPECT_GE(e.pre_asymptotic, 4);
}

// The same when the data end soon after: no order that is not there.
TEST(OrderEstimate, DataThatEndAtTheZeroAreUndecided) {
  const auto e = estimate_order(sample(0.8, 0.5, 4, [](double h, int) { return h * h * (h - 0.09); }));
  EXPECT_FALSE(e.decided) << e.statement;
  EXPECT_THAT(e.statement, StartsWith("undecided: "));
}

// Errors at alternating step ends, whose zigzag dies out with the next term.
TEST(OrderEstimate, ZigzagThatDiesOut) {
  const auto e =
      estimate_order(sample(0.2, 0.5, 9, [](double h, int i) { return h * h * (1 + (i % 2 ? -2 : 2) * h); }));
  EXPECT_TRUE(e.decided);
  EXPECT_LE(std::abs(e.order - 2), e.half_width);
  EXPECT_LT(e.half_width, 0.2);  // measured 0.04
}

TEST(OrderEstimate, AgreesOrDiffersByItsOwnWidth) {
  const auto exact = [](double h, int) { return h * h * h; };
  const auto same = estimate_order(sample(0.1, 0.5, 6, exact), {.theory = 3.0});
  EXPECT_EQ(same.agreement, "agrees");
  EXPECT_THAT(same.statement, testing::EndsWith("; theory 3: agrees"));
  const auto other = estimate_order(sample(0.1, 0.5, 6, exact), {.theory = 4.0});
  EXPECT_EQ(other.agreement, "differs");
  EXPECT_THAT(other.statement, testing::EndsWith("; theory 4: differs"));
  const auto few = estimate_order(sample(0.1, 0.5, 2, exact), {.theory = 3.0});
  EXPECT_EQ(few.agreement, "");
  EXPECT_THAT(few.statement, testing::EndsWith("at least 3 are needed; theory 3"));
  EXPECT_TRUE(Json(few)["agreement"].is_null());
  EXPECT_EQ(Json(other)["agreement"], "differs");
  EXPECT_TRUE(Json(estimate_order({}))["theory"].is_null());
}

// Local orders measured in double, theory, and the statement. What the interval prints includes theory exactly when it
// agrees.
TEST(OrderEstimate, DiffersOnlyWhereTheLocalOrdersHaveSettled) {
  struct Case {
    const char* what;
    std::vector<double> local_orders;
    double theory;
    const char* agreement;
  };
  const Case cases[] = {
      {"lambda of BDF5 on ggl, whose finest point is near round-off", {5.62, 5.53, 5.37, 5.22, 5.43}, 5, "agrees"},
      {"a of BDF4 on ggl, still falling", {3.78, 4.61, 4.72, 4.60, 4.43}, 4, "not settled"},
      {"lambda of the implicit Euler method on index 2", {1.71, 1.71, 1.61, 1.46, 1.31, 1.19}, 1, "not settled"},
      {"two equal ones after much larger ones", {3.17, 4.17, 5.20, 6.67, 3.19, 3.16}, 4, "not settled"},
      {"nothing but two equal ones", {3.19, 3.16}, 4, "not settled"},
      {"near theory, hardly moving: no order is so near to another", {7.01, 4.64, 5.08, 5.10, 5.08}, 5, "not settled"},
      {"within 0.15, but outside its own interval", {2.13, 2.12, 2.12, 2.11}, 2, "not settled"},
      {"superconvergence", {3.94, 3.97, 3.99, 3.99, 4.00, 4.00}, 3, "above theory"},
      {"order 4 claimed, order 5 approached", {4.55, 4.89, 4.98, 5.00}, 4, "above theory"},
      {"order 5 approached", {4.55, 4.89, 4.98, 5.00}, 5, "agrees"},
      {"a start that spoils the order", {0.96, 0.98, 0.99, 1.00}, 4, "differs"},
  };
  for (const Case& c : cases) {
    const auto e = estimate_order(from_slopes(c.local_orders), {.theory = c.theory});
    ASSERT_TRUE(e.decided) << c.what << ": " << e.statement;
    EXPECT_EQ(e.agreement, c.agreement) << c.what << ": " << e.statement;
    const double printed = std::round(100 * e.order) / 100, width = std::ceil(100 * e.half_width - 1e-9) / 100;
    EXPECT_EQ(std::abs(printed - c.theory) <= width + 1e-9, e.agreement == "agrees") << c.what << ": " << e.statement;
  }
}

// Slopes that rise on as they did lead further than their spread says; four points tell nothing of half an order.
TEST(OrderEstimate, RisingLocalOrdersAreNotSettled) {
  struct Case {
    std::vector<double> local_orders;
    double theory;
    const char* agreement;
  };
  const Case cases[] = {{{0.70, 0.76, 0.82, 0.88}, 2, "not settled"},
                        {{1.90, 2.00, 2.05, 2.10, 2.15}, 3, "not settled"},
                        {{2.27, 2.45, 2.64, 2.76}, 3.5, "not settled"},
                        {{1.94, 1.97, 1.98, 1.99, 2.00}, 3, "differs"},
                        {{2.62, 2.63, 2.62}, 3, "not settled"},
                        {{2.62, 2.63, 2.62, 2.62}, 3, "differs"},
                        {{2.02, 2.01, 2.00}, 3, "differs"}};
  for (const Case& c : cases) {
    const auto e = estimate_order(from_slopes(c.local_orders), {.theory = c.theory});
    EXPECT_EQ(e.agreement, c.agreement) << e.statement << "; rises to " << e.rises_to;
  }
}

// 1, 0.5, 0.25, ... steps per unit of the fastest mode: a difference is doubted where the longest is above 1, and where
// the mode goes round so often that its phase is off by more than itself.
TEST(OrderEstimate, StiffWindowsSettleNoDifference) {
  const auto points = from_slopes({2, 2, 2, 2});  // from h = 1/50
  const auto judged = [&](double theory, const FastestMode& mode) {
    auto e = estimate_order(points, {.theory = theory});
    doubt_stiff_window(e, points, mode);
    return e;
  };
  EXPECT_EQ(judged(3, {49, 0}).agreement, "differs");
  const auto stiff = judged(3, {51, 0});
  EXPECT_EQ(stiff.agreement, "not settled (stiff window)");
  EXPECT_THAT(stiff.statement, testing::EndsWith("; theory 3: not settled (stiff window)"));
  // In the middle of the window h = 1/200: 0.1^3 times the turns.
  EXPECT_EQ(judged(3, {20, 990}).agreement, "differs");
  EXPECT_EQ(judged(3, {20, 1010}).agreement, "not settled (stiff window)");
  EXPECT_EQ(judged(2, {51, 0}).agreement, "agrees");
  EXPECT_EQ(judged(1, {51, 0}).agreement, "above theory");
  const Json json = stiff;
  EXPECT_EQ(json["agreement"], "not settled (stiff window)");
  EXPECT_EQ(Json(json.get<OrderEstimate>()), json);
}

// Errors of a tenth that no step makes smaller; at round-off nothing is said.
TEST(OrderEstimate, LargeErrorsThatStandStillDoNotConverge) {
  const auto large =
      estimate_order(sample(0.1, 0.5, 6, [](double, int i) { return 0.1 + 1e-3 * (i % 2); }), {.theory = 2});
  EXPECT_EQ(large.agreement, "does not converge") << large.statement;
  EXPECT_THAT(large.statement, testing::EndsWith("; theory 2: does not converge"));
  EXPECT_FALSE(large.decided);
  const auto small =
      estimate_order(sample(0.1, 0.5, 6, [](double, int i) { return 1e-13 + 1e-15 * (i % 2); }), {.theory = 2});
  EXPECT_EQ(small.agreement, "") << small.statement;
}

// Verner's 8(7) on the pendulum: 9.80 down to h = 1/400, 8.15 at 1/6400.
TEST(OrderEstimate, AboveTheoryIsNoEvidenceAgainstIt) {
  const auto coarse = estimate_order(from_slopes({9.81, 9.80, 9.80, 9.80}), {.theory = 8.0});
  EXPECT_EQ(coarse.agreement, "above theory") << coarse.statement;
  EXPECT_EQ(estimate_order(from_slopes({6.19, 6.20, 6.20, 6.20}), {.theory = 8.0}).agreement, "differs");
}

// The slowest rates seen in practice.
TEST(OrderEstimate, AnOrderOfOneHalfIsOne) {
  const auto e = estimate_order(sample(0.5, 0.5, 6, [](double h, int) { return std::sqrt(h); }));
  EXPECT_TRUE(e.decided) << e.statement;
  EXPECT_NEAR(e.order, 0.5, 1e-12);  // round-off
}

// Half-widths on both sides of the widest one, 0.5.
TEST(OrderEstimate, IntervalsWiderThanAHalfDecideNothing) {
  int wide = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const auto e = estimate_order(sample(0.5, 0.5, 4 + trial % 3, [&](double h, int i) {
      return h * h * h * std::exp(0.002 * trial * noise(7 * trial + i));
    }));
    if (std::isnan(e.half_width)) continue;
    if (e.statement.find("do not decrease") == std::string::npos) {
      EXPECT_EQ(e.decided, e.half_width <= 0.5) << e.statement;
    }
    wide += e.half_width > 0.5 && e.half_width < 1;
  }
  EXPECT_GT(wide, 0);
}

// Settled local orders tell an order from theory from a quarter on.
TEST(OrderEstimate, AQuarterAwayFromTheoryIsAnotherOrder) {
  for (const auto& [order, agreement] : {std::pair(2.20, "not settled"),
                                         {2.24, "not settled"},
                                         {2.26, "above theory"},
                                         {2.30, "above theory"},
                                         {1.74, "differs"},
                                         {1.76, "not settled"}}) {
    const auto e = estimate_order(from_slopes({order, order, order, order}), {.theory = 2.0});
    EXPECT_EQ(e.agreement, agreement) << e.statement;
  }
}

// The orders between neighbouring steps that decide, and where they lead, lie in the interval.
TEST(OrderEstimate, TheIntervalCoversTheDriftOfTheLocalOrders) {
  const auto e = estimate_order(from_slopes({5.62, 5.53, 5.37, 5.22, 5.43}));
  EXPECT_NEAR(e.order, 5.33, 0.01);  // measured 0.002 off
  EXPECT_LE(e.order - e.half_width, 5.37 - 2 * 0.15) << "5.37, 5.22, and as much again: " << e.statement;
  EXPECT_GE(e.order + e.half_width, 5.43);  // the last slope

  // Towards the limit without the coarse points hiding it: 3.45, 3.67, 3.78, 3.86 end near 4.
  const auto late = estimate_order(from_slopes({4.67, 3.90, 3.45, 3.67, 3.83, 3.91}), {.theory = 4.0});
  EXPECT_EQ(late.agreement, "agrees") << late.statement;
}

TEST(OrderEstimate, RunsWithAShortenedLastStepAreCounted) {
  const auto e = estimate_order(sample(0.1, 0.5, 5, [](double h, int) { return h * h; }), {.shortened = 2});
  EXPECT_EQ(e.statement, "p = 2.00 ± 0.01 from 5 of 7 points (2 with a shortened last step)");
  expect_consistent_counts(e);
}

}  // namespace TEST_FILE
}  // namespace daelab
