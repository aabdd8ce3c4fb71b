// What an order estimate says of theory: agrees, differs, above theory, not settled, does not converge.
#include "analysis/order_estimate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/order_estimate_support.hpp"

namespace daelab {
namespace TEST_FILE {

TEST(OrderEstimate, AgreesOrDiffersByItsOwnWidth) {
  const auto exact = [](double h, int) { return h * h * h; };
  const auto same = estimate_order(sampled_errors(0.1, 0.5, 6, exact), {.theory = 3.0});
  EXPECT_EQ(same.agreement, "agrees");
  EXPECT_THAT(same.statement, testing::EndsWith("; theory 3: agrees"));
  const auto other = estimate_order(sampled_errors(0.1, 0.5, 6, exact), {.theory = 4.0});
  EXPECT_EQ(other.agreement, "differs");
  EXPECT_THAT(other.statement, testing::EndsWith("; theory 4: differs"));
  const auto few = estimate_order(sampled_errors(0.1, 0.5, 2, exact), {.theory = 3.0});
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
      estimate_order(sampled_errors(0.1, 0.5, 6, [](double, int i) { return 0.1 + 1e-3 * (i % 2); }), {.theory = 2});
  EXPECT_EQ(large.agreement, "does not converge") << large.statement;
  EXPECT_THAT(large.statement, testing::EndsWith("; theory 2: does not converge"));
  EXPECT_FALSE(large.decided);
  const auto small =
      estimate_order(sampled_errors(0.1, 0.5, 6, [](double, int i) { return 1e-13 + 1e-15 * (i % 2); }), {.theory = 2});
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
  const auto e = estimate_order(sampled_errors(0.5, 0.5, 6, [](double h, int) { return std::sqrt(h); }));
  EXPECT_TRUE(e.decided) << e.statement;
  EXPECT_NEAR(e.order, 0.5, 1e-12);  // round-off
}

// Half-widths on both sides of the widest one, 0.5.
TEST(OrderEstimate, IntervalsWiderThanAHalfDecideNothing) {
  int wide = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const auto e = estimate_order(sampled_errors(0.5, 0.5, 4 + trial % 3, [&](double h, int i) {
      return h * h * h * std::exp(0.002 * trial * repeatable_noise(7 * trial + i));
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

}  // namespace TEST_FILE
}  // namespace daelab
