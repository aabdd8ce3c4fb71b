// ROCK4: order conditions of the composed method, the stability interval, the engine against its tableau, adaptive runs
// on the heat equation.
//
// [Ab02] Abdulle, SIAM J. Sci. Comput. 23(6), 2002, 2041-2054.
#include "methods/stabilized/rock4_stepper.hpp"

#include <gmock/gmock.h>

#include "analysis/order_conditions.hpp"
#include "tests/heat_equation.hpp"
#include "tests/members_by_stages.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;
using testing::ThrowsMessage;

std::string with_stages(int s) { return "rock4:stages=" + std::to_string(s); }

TEST(Rock4, HasOrderFourAndAnEmbeddedMethodOfOrderThree) {
  for (const int s : {5, 6, 7, 10, 16}) {
    Tableau tableau = rock4_tableau(s);
    EXPECT_TRUE(tableau.is_explicit());
    EXPECT_TRUE(tableau.stiffly_accurate()) << "the last stage is the step end, which the embedded method takes";
    EXPECT_EQ(tableau.stages(), s + 1);
    const OrderReport report = order_report(tableau, 4);
    EXPECT_EQ(report.order, 4) << s << ": " << report.how;
    EXPECT_TRUE(report.is_exact) << s;
    tableau.b = tableau.b_embedded;
    EXPECT_EQ(order_report(tableau, 4).order, 3) << s;
  }
}

// exp as far as it goes, 19/20 at the largest maximum, nowhere more; and unstable soon behind the end.
// 19/20 is met where exp is below it, from 0.0513 on.
TEST(Rock4, IsDampedOnItsInterval) {
  for (const int s : {5, 8, 20, 61}) {
    const double l = static_cast<double>(rock4_coefficients(s).length);
    StabilityOfMember R_of(with_stages(s));
    double largest = 0;
    for (int k = 1; k <= 4000; ++k) {
      const double x = l * std::pow(std::sin(M_PI * k / 8000), 2);
      const double R = std::abs(R_of(x));
      EXPECT_LT(R, x < 0.052 ? 1 : 0.95 + 1e-9) << s << " " << x;
      if (x > 1) largest = std::max(largest, R);
    }
    // Of 4000 points none is on the maximum: measured 8e-5.
    EXPECT_NEAR(largest, 0.95, 1e-4) << s << ": the equation of z*";
    EXPECT_GT(std::abs(R_of(1.02 * l)), 1) << s;
  }
}

// Increasing to 0.351: the limit known of the optimal polynomials of order 4 is 0.353 [Ab02, table 3.1].
TEST(Rock4, HasAnIntervalThatGrowsWithTheSquareOfTheStages) {
  double before = 0.2;
  for (const int s : {5, 6, 10, 20, 40}) {
    const double l = static_cast<double>(rock4_coefficients(s).length), ratio = l / (s * s);
    EXPECT_GT(ratio, before) << s;
    EXPECT_LT(ratio, 0.353) << s;
    EXPECT_GT(l, 0.35 * s * s - 2.8) << s << ": the bound that chooses the stages";
    before = ratio;
  }
  EXPECT_GT(before, 0.349);  // measured with 40 stages
}

TEST(Rock4, IsItsTableau) {
  for (const int s : {5, 6, 11}) {
    expect_steps_of_tableau<double>(with_stages(s), 1e-13, s);
#ifndef DAELAB_DOUBLE_ONLY
    expect_steps_of_tableau<Real50>(with_stages(s), 1e-44, s);
#endif
  }
}

// Spaces in the list of stages take up to 10 % of them, 20 % of the length; 5 stages are the fewest.
TEST(Rock4Stages, SufficeAndAreFew) {
  for (double length : {0.0, 5.0, 30.0, 100.0, 1000.0, 7000.0}) {
    const double s = rock4_stages(length, 150);
    EXPECT_GE(0.35 * s * s - 2.8, length);
    EXPECT_LT(0.35 * s * s - 2.8, std::max(1.3 * length, 6.0) + 4) << length;
  }
  EXPECT_EQ(rock4_stages(0.35 * 23 * 23 - 2.9, 150), 24);
  EXPECT_EQ(rock4_stages(0.35 * 23 * 23 - 2.9, 23), 23) << "none of the list, but still allowed";
  EXPECT_GT(rock4_stages(0.35 * 23 * 23 - 2.7, 23), 23);  // as above
}

// Measured: 4e-3 to 0.08 tolerances, and up to 0.107 of the work.
TEST(Rock4, FollowsTheToleranceOnTheHeatEquation) {
  HeatEquation heat;
  for (const double tolerance : {1e-3, 1e-5, 1e-7}) {
    const AdaptiveHeat run = heat.integrate("rock4", tolerance);
    EXPECT_LT(run.error, 10 * tolerance);
    EXPECT_LT(run.statistics.residuals, 0.125 * 0.3 * 4e4 / 3.3 * 6)
        << "an eighth of Dormand-Prince, which must be stable";
  }
}

TEST(Rock4, HasAFormOnlyWithGivenStages) {
  EXPECT_TRUE(std::holds_alternative<NoForm>(Registry<Method>::instance().make("rock4", "")->form()));
  EXPECT_TRUE(std::holds_alternative<Tableau>(Registry<Method>::instance().make("rock4:stages=5", "")->form()));
  EXPECT_EQ(Registry<Method>::instance().make("rock4:stages=9", "")->coefficients().size(), 5u);
  EXPECT_THAT([] { Registry<Method>::instance().make("rock4:stages=4", ""); },
              ThrowsMessage<InputError>(HasSubstr("5 to 150")));
}

}  // namespace TEST_FILE
}  // namespace daelab
