// Growth bounds and imaginary-axis instability of the BDF against the closed forms and published values.
//
// [CGG90] Calvo, Grande, Grigorieff, Numerische Mathematik 57, 1990, 39-49: bounds of the step ratio.
//
// Bounds of 1e-12 and less are round-off; printed numbers are met to half a unit of their last digit.
#include "analysis/bdf_limits.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "analysis/roots.hpp"
#include "methods/multistep/bdf_stepper.hpp"
#include "tests/experiment_support.hpp"

namespace daelab {
namespace TEST_FILE {

// 1 + sqrt(2) for order 2, the golden ratio for order 3.
TEST(BdfLimits, ZeroStableGrowth) {
  EXPECT_FALSE(bdf_limits(1).growth_bound);
  EXPECT_NEAR(*bdf_limits(2).growth_bound, 1 + std::sqrt(2.0), 1e-12);
  EXPECT_NEAR(*bdf_limits(3).growth_bound, (1 + std::sqrt(5.0)) / 2, 1e-12);
  EXPECT_NEAR(*bdf_limits(4).growth_bound, 1.2807, 5e-5);
  EXPECT_NEAR(*bdf_limits(5).growth_bound, 1.1271, 5e-5);
  EXPECT_NEAR(*bdf_limits(6).growth_bound, 1.0443, 5e-5);
}

TEST(BdfLimits, OrdersOneAndTwoDampEveryFrequency) {
  EXPECT_FALSE(bdf_limits(1).instability);
  EXPECT_FALSE(bdf_limits(2).instability);
}

// The unstable frequencies end where a root e^(i t) of modulus 1 satisfies the formula: with x = cos t,
//
//   Re sum_(j=1)^k (1 - e^(-it))^j / j = 0:  (1 - x)^2 (1 - 4 x) / 3                              for k = 3,
//                                            -2 (1 - x)^3 (x + 1/3)                               for k = 4,
//                                            2 (1 - x)^3 (24 x^2 - 3 x - 11) / 15                 for k = 5,
//
// and omega h is the imaginary part. The differences of that mode have the ratio |1 - e^(-it)| = sqrt(2 - 2 x).
struct End {
  double omega_h, ratio;
};

End end_at(int k, double x) {
  const std::complex<double> w = 1.0 - std::complex<double>(x, -std::sqrt(1 - x * x));
  std::complex<double> sum = 0, power = 1;
  for (int j = 1; j <= k; ++j) power *= w, sum += power / double(j);
  EXPECT_NEAR(sum.real(), 0, 1e-14);
  return {sum.imag(), std::abs(w)};
}

TEST(BdfLimits, HigherOrdersAreUnstableOnTheImaginaryAxisBetweenClosedForms) {
  const double root = std::sqrt(1065.0);
  const struct {
    int k;
    End from, to;
  } orders[] = {{3, {0, 0}, end_at(3, 0.25)},
                {4, {0, 0}, end_at(4, -1.0 / 3)},
                {5, end_at(5, (3 + root) / 48), end_at(5, (3 - root) / 48)}};
  EXPECT_NEAR(orders[0].to.omega_h, std::sqrt(15.0) / 2, 1e-14);
  EXPECT_NEAR(orders[1].to.omega_h, 10 * std::sqrt(2.0) / 3, 1e-14);
  for (const auto& [k, from, to] : orders) {
    const BdfInstability unstable = *bdf_limits(k).instability;
    EXPECT_NEAR(unstable.from, from.omega_h, 1e-13) << k;
    EXPECT_NEAR(unstable.to, to.omega_h, 1e-13) << k;
    EXPECT_NEAR(unstable.ratio_from, from.ratio, 1e-13) << k;
    EXPECT_NEAR(unstable.ratio_to, to.ratio, 1e-13) << k;
  }
}

// A scan of the roots in another program gave 1.046 at omega h = 1.14, 1.19 and 1.38.
TEST(BdfLimits, LargestGrowth) {
  EXPECT_NEAR(bdf_limits(3).instability->growth, 1.046, 5e-4);
  EXPECT_NEAR(bdf_limits(3).instability->at, 1.14, 0.02);  // two steps of the scan
  EXPECT_NEAR(bdf_limits(4).instability->growth, 1.19, 5e-3);
  EXPECT_NEAR(bdf_limits(5).instability->growth, 1.38, 5e-3);
}

// What order selection takes for order 6, where the tables of the review end: every mode that grows on the imaginary
// axis multiplies differences by more than 1.03, so that none with falling differences grows.
TEST(BdfLimits, GrowingModesOfOrder6HaveGrowingDifferences) {
  const Vector<double> alpha = bdf_formula(6).alpha.cast<double>();
  const BdfInstability unstable = *bdf_limits(6).instability;
  EXPECT_NEAR(unstable.to, 17.57, 5e-3);  // a scan of the locus in another program
  double least = 2;
  for (double x = unstable.from + 0.005; x < unstable.to; x += 0.01) {
    std::vector<std::complex<double>> p;
    for (Index j = alpha.size() - 1; j >= 0; --j) p.emplace_back(alpha[j]);
    p.back() -= std::complex<double>(0, x);
    const std::complex<double> zeta = largest_zero(p);
    ASSERT_GT(std::abs(zeta), 1) << x;
    least = std::min(least, std::abs(1.0 - 1.0 / zeta));
  }
  EXPECT_GT(least, 1.03);  // measured 1.0359
  EXPECT_LT(least, 1.04);
}

// The test of differences misses what grows slowly. Where it first sees it, zeta = 1/(1 - w) with |w| = s_k and
// Re sum_(j=1)^k w^j / j = 0; omega h is the imaginary part. Solved by bisection over the angle of w, in another
// program.
TEST(BdfLimits, InstabilityTestMissesTheLowerEnd) {
  const struct {
    int k;
    double threshold, from, growth;
  } orders[] = {{3, 0.59, 0.6286760138904727, 1.020755287790686},
                {4, 0.65, 0.6627356479252247, 1.023469746637992},
                {5, 0.89, 0.8978138455917025, 1.0741694407602655}};
  for (const auto& [k, threshold, from, growth] : orders) {
    const InstabilityTest test = instability_test(k, threshold);
    EXPECT_NEAR(test.from, from, 1e-12) << k;
    EXPECT_NEAR(test.missed_growth, growth, 1e-12) << k;
  }
}

// Nothing is missed where the growing modes have the ratio from the first; above ratio_to nothing is seen of them.
TEST(BdfLimits, InstabilityTestAtTheEndsOfTheRange) {
  const BdfInstability five = *bdf_limits(5).instability;
  EXPECT_NEAR(instability_test(5, five.ratio_from * 0.99).from, five.from, 1e-12);
  EXPECT_GE(instability_test(5, five.ratio_to * 1.01).from, five.to);  // 1 % beyond the range
  EXPECT_NEAR(instability_test(5, five.ratio_to * 1.01).missed_growth, five.growth, 1e-12);
}

TEST(BdfLimitsExperiment, StandsBesideCapsAndThresholds) {
  const SmallConfig config({{"experiment", "bdf-limits"},
                            {"caps", {"2", "3/2"}},
                            {"thresholds", {"6/5"}},
                            {"runs", {{{"k", 1}}, {{"k", 3}}, {{"k", 4}}}}});
  const Json rows = config.result()["tables"][0]["rows"];
  EXPECT_EQ(rows[0], Json::parse("[1, null, null, null, null, null, null, null, null, null, null]"));
  const BdfLimits three = bdf_limits(3);
  const auto& unstable = *three.instability;
  const InstabilityTest test = instability_test(3, 1.2);
  EXPECT_EQ(rows[1], (Json{3, 1.5, *three.growth_bound, unstable.from, unstable.to, unstable.growth, unstable.at, 1.2,
                           unstable.ratio_to, test.from, test.missed_growth}));
  EXPECT_EQ(rows[2][7], nullptr);  // no threshold, so no test
  EXPECT_EQ(rows[2][9], nullptr);

  for (const char* property : {"zero_stable_at_any_growth", "damps_every_frequency"}) {
    EXPECT_TRUE(config.runs()[0][property]) << property;
    EXPECT_FALSE(config.runs()[1][property]) << property;
  }
  EXPECT_EQ(config.runs()[1]["instability"]["ratio_from"], 0);
  const Json series = config.analysis()["series"];
  ASSERT_EQ(series.size(), 1u);
  EXPECT_EQ(series[0], Json({{"spec", {{"k", 3}}}, {"from", test.from}, {"missed_growth", test.missed_growth}}));
}

}  // namespace TEST_FILE
}  // namespace daelab
