// Growth bounds and imaginary-axis instability of the BDF against the closed forms and published values.
//
// [CGG90] Calvo, Grande, Grigorieff, Numerische Mathematik 57, 1990, 39-49: bounds of the step ratio.
#include "analysis/bdf_limits.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/experiment_support.hpp"

namespace daelab {
namespace {

// 1 + sqrt(2) for order 2, the golden ratio for order 3.
TEST(BdfLimits, ZeroStableGrowth) {
  EXPECT_FALSE(bdf_limits(1).growth_bound);
  EXPECT_NEAR(*bdf_limits(2).growth_bound, 1 + std::sqrt(2.0), 1e-9);
  EXPECT_NEAR(*bdf_limits(3).growth_bound, (1 + std::sqrt(5.0)) / 2, 1e-9);
  EXPECT_NEAR(*bdf_limits(4).growth_bound, 1.2807, 5e-5);
  EXPECT_NEAR(*bdf_limits(5).growth_bound, 1.1271, 5e-5);
}

TEST(BdfLimits, OrdersOneAndTwoDampEveryFrequency) {
  EXPECT_FALSE(bdf_limits(1).instability);
  EXPECT_FALSE(bdf_limits(2).instability);
}

// Values of the restatement of [Ren20], section 8.
TEST(BdfLimits, HigherOrdersAreUnstableOnTheImaginaryAxis) {
  const auto three = *bdf_limits(3).instability, four = *bdf_limits(4).instability, five = *bdf_limits(5).instability;
  EXPECT_NEAR(three.to, 1.936, 1e-3);
  EXPECT_NEAR(three.growth, 1.046, 5e-4);
  EXPECT_NEAR(three.at, 1.14, 0.02);
  EXPECT_NEAR(four.to, 4.71, 5e-3);
  EXPECT_NEAR(four.growth, 1.19, 5e-3);
  EXPECT_NEAR(five.from, 0.71, 5e-3);
  EXPECT_NEAR(five.to, 9.39, 5e-3);
  EXPECT_NEAR(five.growth, 1.38, 5e-3);
  EXPECT_NEAR(three.difference_ratio, 1.22, 5e-3);
  EXPECT_NEAR(four.difference_ratio, 1.63, 5e-3);
  EXPECT_NEAR(five.difference_ratio, 1.80, 5e-3);
}

// |R(i y)| of BDF3 on the boundary: the root of modulus 1 at the upper end satisfies the formula.
TEST(BdfLimits, TheBoundaryIsARootOfModulusOne) {
  const double y = bdf_limits(3).instability->to;
  // On |zeta| = 1, zeta = e^(i t): Re(11/6 - 3/zeta + 3/2 / zeta^2 - 1/3 / zeta^3) = 0 and the imaginary part is y.
  double best = 1;
  for (int i = 1; i < 400000; ++i) {
    const double t = i * M_PI / 400000;
    const double re = 11.0 / 6 - 3 * std::cos(t) + 1.5 * std::cos(2 * t) - std::cos(3 * t) / 3;
    const double im = 3 * std::sin(t) - 1.5 * std::sin(2 * t) + std::sin(3 * t) / 3;
    best = std::min(best, std::hypot(re, im - y));
  }
  EXPECT_LT(best, 1e-5);
}

TEST(BdfLimitsExperiment, StandsBesideCapsAndThresholds) {
  const SmallConfig config({{"experiment", "bdf-limits"},
                            {"caps", {"2", "3/2"}},
                            {"thresholds", {"6/5"}},
                            {"runs", {{{"k", 1}}, {{"k", 3}}}}});
  const Json rows = config.result()["tables"][0]["rows"];
  EXPECT_EQ(rows[0], Json::parse("[1, null, null, null, null, null, null, null, null]"));
  const BdfLimits three = bdf_limits(3);
  EXPECT_EQ(rows[1], (Json{3, 1.5, *three.growth_bound, 1.2, three.instability->from, three.instability->to,
                           three.instability->growth, three.instability->at, three.instability->difference_ratio}));
  EXPECT_EQ(config.runs()[1]["instability"]["to"], three.instability->to);
  EXPECT_TRUE(config.analysis().is_null());
}

}  // namespace
}  // namespace daelab
