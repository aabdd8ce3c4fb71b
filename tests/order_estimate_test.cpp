#include "analysis/order_estimate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "core/base/real.hpp"
#include "tests/order_estimate_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

void expect_consistent_counts(const OrderEstimate& e) {
  EXPECT_EQ(e.total, e.used + e.pre_asymptotic + e.at_floor + e.failed + e.shortened) << e.statement;
  EXPECT_EQ(e.used, static_cast<int>(e.used_points.size()));
}

// Exact powers of h, fitted to round-off.
TEST(OrderEstimate, ActualStepsNotHalves) {
  const auto e = estimate_order(sampled_errors(0.3, 0.38, 6, [](double h, int) { return 7 * h * h * h; }));
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
  const auto e = estimate_order(sampled_errors(
      0.5, 0.5, 10, [](double h, int i) { return std::abs(std::pow(h, 6) + 1e-13 * repeatable_noise(i)); }));
  EXPECT_TRUE(e.decided);
  EXPECT_NEAR(e.order, 6, 0.02);  // measured 0.0006 off
  EXPECT_GE(e.at_floor, 3);
  EXPECT_EQ(e.used_points.front(), 0u);
  expect_consistent_counts(e);
}

TEST(OrderEstimate, ConstantFloorOfAnInexactReference) {
  const auto e = estimate_order(sampled_errors(0.5, 0.5, 10, [](double h, int) { return std::pow(h, 4) + 1e-8; }));
  EXPECT_NEAR(e.order, 4, std::max(e.half_width, 0.03));  // measured 0.003 off
  EXPECT_GE(e.at_floor, 3);
}

// Round-off grows like 1/h once it dominates.
TEST(OrderEstimate, RoundOffThatGrowsAgain) {
  const auto e = estimate_order(sampled_errors(0.5, 0.5, 12, [](double h, int) { return std::pow(h, 6) + 1e-15 / h; }));
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
  const auto points = sampled_errors(0.1, 0.5, 7, data);  // ends at 3.4e-6: no plateau yet
  const auto blind = estimate_order(points);
  const auto informed = estimate_order(points, {.log10_floor = -6});
  EXPECT_EQ(informed.at_floor, 1);  // below 1e-5
  EXPECT_LE(std::abs(informed.order - 2), std::abs(blind.order - 2));
  EXPECT_NEAR(informed.order, 2, std::max(0.03, informed.half_width));
  expect_consistent_counts(informed);
}

TEST(OrderEstimate, PreAsymptoticCoarsePoints) {
  const auto e = estimate_order(
      sampled_errors(0.2, 0.5, 9, [](double h, int) { return std::pow(h, 5) * (1 + 30 * h + 400 * h * h); }));
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
  const auto e =
      estimate_order(sampled_errors(0.5, 0.5, 9, [](double h, int) { return std::min(2.1, 2e5 * std::pow(h, 4)); }));
  EXPECT_NEAR(e.order, 4, 1e-12);  // round-off: the points that are left are an exact power
  EXPECT_GE(e.pre_asymptotic, 3);
}

// Order reduction: h^4 on coarse steps, h^2 in the limit. The fine regime is the order.
TEST(OrderEstimate, SlowerFineRegimeIsNotAFloor) {
  const auto e =
      estimate_order(sampled_errors(0.5, 0.5, 11, [](double h, int) { return std::pow(h, 4) + 1e-3 * h * h; }));
  EXPECT_LE(std::abs(e.order - 2), std::max(e.half_width, 0.05));  // measured 0.007 off
  EXPECT_EQ(e.at_floor, 0);
}

// As sharp as it can be: h^5 turns into h just before the last four points.
TEST(OrderEstimate, SuddenSlowRegimeIsNotAFloor) {
  const auto e = estimate_order(sampled_errors(0.5, 0.5, 9, [](double h, int) { return std::pow(h, 5) + 3e-6 * h; }));
  EXPECT_TRUE(e.decided);
  EXPECT_LE(std::abs(e.order - 1), e.half_width);
  EXPECT_EQ(e.at_floor, 0);
}

// The sign of the error alternates between two constants, 0.7 and 1.3.
TEST(OrderEstimate, ZigzagWidensTheInterval) {
  const auto e =
      estimate_order(sampled_errors(0.5, 0.5, 8, [](double h, int i) { return (i % 2 ? -1.3 : 0.7) * h * h * h; }));
  EXPECT_TRUE(e.decided);
  EXPECT_LE(std::abs(e.order - 3), e.half_width);
  // The logarithms zigzag by log(1.3/0.7)/2 = 0.31; the half-width was measured, 0.29.
  EXPECT_GT(e.half_width, 0.1);
  EXPECT_GT(e.residual, 0.2);
}

TEST(OrderEstimate, WildZigzagIsUndecided) {
  const auto e =
      estimate_order(sampled_errors(0.5, 0.5, 8, [](double h, int i) { return (i % 2 ? 1.9 : 0.1) * h * h * h; }));
  EXPECT_FALSE(e.decided);
  EXPECT_THAT(e.statement, StartsWith("undecided: "));
}

TEST(OrderEstimate, TooFewPoints) {
  const auto e = estimate_order(sampled_errors(0.1, 0.5, 2, [](double h, int) { return h; }), {.failed = 1});
  EXPECT_FALSE(e.decided);
  EXPECT_TRUE(std::isnan(e.order));
  EXPECT_EQ(e.statement, "undecided: 2 of 3 points (1 failed) usable, at least 3 are needed");
  EXPECT_FALSE(estimate_order({}).decided);
}

TEST(OrderEstimate, GrowingErrorsKeepTheirSign) {
  const auto e = estimate_order(sampled_errors(0.5, 0.5, 6, [](double h, int) { return 1e-12 / h; }));
  EXPECT_TRUE(e.decided);
  EXPECT_NEAR(e.order, -1, 1e-12);  // round-off
  EXPECT_THAT(e.statement, HasSubstr("grow as h shrinks"));
}

TEST(OrderEstimate, ErrorsThatDoNotDecreaseAreUndecided) {
  const auto e = estimate_order(
      sampled_errors(0.5, 0.5, 8, [](double, int i) { return 1e-12 * (1 + 0.5 * repeatable_noise(i)); }));
  EXPECT_FALSE(e.decided);
  EXPECT_THAT(e.statement, HasSubstr("do not decrease"));
}

TEST(OrderEstimate, FailedRunsAreCounted) {
  auto points = sampled_errors(0.1, 0.5, 5, [](double h, int) { return h * h * h; });
  points[0].log_error = std::numeric_limits<double>::quiet_NaN();  // the coarsest run diverged
  const auto e = estimate_order(points, {.failed = 1});
  EXPECT_NEAR(e.order, 3, 1e-12);  // round-off
  EXPECT_EQ(e.failed, 2);
  EXPECT_EQ(e.statement, "p = 3.00 ± 0.02 from 4 of 6 points (2 failed)");
  expect_consistent_counts(e);
}

TEST(OrderEstimate, ZeroErrorsAreAtTheFloor) {
  const auto zero = estimate_order(sampled_errors(0.1, 0.5, 5, [](double, int) { return 0.0; }));
  EXPECT_FALSE(zero.decided);
  EXPECT_EQ(zero.statement, "undecided: every error is zero or at the floor");

  const auto last = estimate_order(sampled_errors(0.1, 0.5, 6, [](double h, int i) { return i == 5 ? 0.0 : h * h; }));
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
  auto points = sampled_errors(0.1, 0.5, 5, [](double h, int) { return h * h; });
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
    const auto e = estimate_order(sampled_errors(0.1, 0.5, 9, [&](double h, int i) {
      return std::pow(h, p) * (1 + 5 * repeatable_noise(trial) * h) * (1 + 0.01 * repeatable_noise(7 * trial + i)) +
             1e-13 * repeatable_noise(11 * trial + 3 * i);
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
  const auto e = estimate_order(sampled_errors(
      0.4, 0.38, 9, [](double h, int i) { return std::abs(std::pow(h, 6) + 1e-13 * repeatable_noise(i)); }));
  EXPECT_TRUE(e.decided);
  EXPECT_NEAR(e.order, 6, 0.02);  // measured 0.0001 off
  EXPECT_GE(e.at_floor, 3);
  expect_consistent_counts(e);
}

// Neighbouring steps 10 % apart: an error of 5 % is half an order between two of them, but not over all.
TEST(OrderEstimate, NoiseOnAFineGrid) {
  const auto e = estimate_order(
      sampled_errors(0.1, 0.9, 12, [](double h, int i) { return h * h * h * (1 + 0.05 * repeatable_noise(i)); }));
  EXPECT_LE(std::abs(e.order - 3), e.half_width);
  EXPECT_GT(e.half_width, 0.03);  // 5 % over the range of h, log(0.9^-11) = 1.16, is 0.04
}

// Two terms of opposite sign: the error vanishes at h = 1/10 on its way from order 3 to order 2.
TEST(OrderEstimate, ErrorThatPassesThroughZero) {
  const auto e = estimate_order(sampled_errors(0.8, 0.5, 11, [](double h, int) { return h * h * (h - 0.1); }));
  EXPECT_TRUE(e.decided);
  EXPECT_LE(std::abs(e.order - 2), e.half_width);
  EXPECT_GE(e.pre_asymptotic, 4);
}

// The same when the data end soon after: no order that is not there.
TEST(OrderEstimate, DataThatEndAtTheZeroAreUndecided) {
  const auto e = estimate_order(sampled_errors(0.8, 0.5, 4, [](double h, int) { return h * h * (h - 0.09); }));
  EXPECT_FALSE(e.decided) << e.statement;
  EXPECT_THAT(e.statement, StartsWith("undecided: "));
}

// Errors at alternating step ends, whose zigzag dies out with the next term.
TEST(OrderEstimate, ZigzagThatDiesOut) {
  const auto e =
      estimate_order(sampled_errors(0.2, 0.5, 9, [](double h, int i) { return h * h * (1 + (i % 2 ? -2 : 2) * h); }));
  EXPECT_TRUE(e.decided);
  EXPECT_LE(std::abs(e.order - 2), e.half_width);
  EXPECT_LT(e.half_width, 0.2);  // measured 0.04
}

TEST(OrderEstimate, RunsWithAShortenedLastStepAreCounted) {
  const auto e = estimate_order(sampled_errors(0.1, 0.5, 5, [](double h, int) { return h * h; }), {.shortened = 2});
  EXPECT_EQ(e.statement, "p = 2.00 ± 0.01 from 5 of 7 points (2 with a shortened last step)");
  expect_consistent_counts(e);
}

}  // namespace TEST_FILE
}  // namespace daelab
