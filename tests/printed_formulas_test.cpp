// Formulas as a paper prints them, against what they follow from. What is right and wrong in [Ren20] was derived apart
// from this with a computer algebra system: the sign of the terms of mu, the second and third row of (39); all formulas
// of differences are right.
//
// [Ren20] Ren, Zhou, Journal of Dynamics and Control, 2020, doi 10.6052/1672-6553-2020-098.
#include "analysis/printed_formulas.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace daelab {
namespace TEST_FILE {

using testing::ElementsAre;
using testing::IsEmpty;
using enum PrintedFormula;

std::vector<std::string> differing(PrintedFormula formula, bool mended = false, bool variable_mass = false, int k = 3) {
  return check_formula({formula, mended, variable_mass, k, "4/5"}).differing;
}

TEST(PrintedFormulas, JacobiansOnIndex3AreRightForConstantMass) {
  for (const PrintedFormula formula : {jacobian_33, jacobian_79}) {
    EXPECT_THAT(differing(formula), IsEmpty());
    EXPECT_THAT(differing(formula, false, true), ElementsAre("1,1"));  // (M q'')_q is left out
  }
}

TEST(PrintedFormulas, JacobiansOnIndex2HaveMisprints) {
  EXPECT_THAT(differing(jacobian_39), ElementsAre("1,1", "2,1", "2,2", "3,1"));
  EXPECT_THAT(differing(jacobian_39, true), IsEmpty());
  EXPECT_THAT(differing(jacobian_39, true, true), IsEmpty());
  EXPECT_THAT(differing(jacobian_84), ElementsAre("2,2"));
  EXPECT_THAT(differing(jacobian_84, true), IsEmpty());
  EXPECT_THAT(differing(jacobian_84, true, true), ElementsAre("1,2"));  // (M v')_q is left out
}

TEST(PrintedFormulas, DifferencesAreRightForEveryOrder) {
  for (const PrintedFormula formula :
       {resampling_54, involution_55, recursion_59, prediction_61, derivative_63, truncation_64})
    for (int k = 1; k <= 5; ++k)
      EXPECT_THAT(differing(formula, false, false, k), IsEmpty()) << static_cast<int>(formula) << " " << k;
}

TEST(PrintedFormulas, StepsOfHhtHaveWrongSubscripts) {
  EXPECT_THAT(differing(parameters_21), IsEmpty());
  EXPECT_THAT(differing(states_22), ElementsAre("velocity", "position"));
  EXPECT_THAT(differing(states_22, true), IsEmpty());
  EXPECT_THAT(differing(accelerations_23), ElementsAre("a_(n+1)"));
  EXPECT_THAT(differing(accelerations_23, true), IsEmpty());
  EXPECT_THAT(differing(balance_24), IsEmpty());
}

// (1 + 3 D^2)/(12 (1 - D)), D = (1 - rho)/(1 + rho), which generalized-alpha takes.
TEST(PrintedFormulas, ErrorConstantIsThatOfTheMethod) {
  for (const double rho : {1.0, 0.75, 0.5, 0.25}) {
    FormulaCase of{error_34};
    of.rho = Exact(std::to_string(static_cast<int>(100 * rho)) + "/100");
    const double D = (1 - rho) / (1 + rho);
    EXPECT_NEAR(check_formula(of).value.value(), (1 + 3 * D * D) / (12 * (1 - D)), 1e-15) << rho;
  }
}

TEST(PrintedFormulas, StepsOfAlgorithmsHaveMisprints) {
  for (const PrintedFormula formula : {algorithm_2, algorithm_3, algorithm_4}) {
    EXPECT_FALSE(check_formula({formula}).agrees);
    EXPECT_TRUE(check_formula({formula, true}).agrees);
  }
  EXPECT_THAT(differing(algorithm_4), ElementsAre("k + 2", "k"));
}

}  // namespace TEST_FILE
}  // namespace daelab
