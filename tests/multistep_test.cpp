// Order, zero-stability and A-stability of linear multistep methods, against the theorems.
//
// [HNW93] Hairer, Nørsett, Wanner, Solving Ordinary Differential Equations I, Secs. III.2, III.3.
// [HW96] Hairer, Wanner, Solving Ordinary Differential Equations II, Sec. V.1.
#include "analysis/multistep.hpp"

#include <gmock/gmock.h>

#include "analysis/polynomial.hpp"
#include "analysis/stability_polynomial.hpp"
#include "methods/multistep/adams.hpp"
#include "methods/multistep/bdf_stepper.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

MultistepFormula formula(const std::vector<const char*>& alpha, const std::vector<const char*>& beta) {
  MultistepFormula result{Vector<Real100>(alpha.size()), Vector<Real100>(beta.size())};
  for (std::size_t j = 0; j < alpha.size(); ++j) {
    result.alpha[static_cast<Index>(j)] = Exact(alpha[j]).value();
    result.beta[static_cast<Index>(j)] = Exact(beta[j]).value();
  }
  return result;
}

MultistepForm bdf(int k) { return {bdf_formula(k), {}}; }
MultistepForm trapezoidal() { return {formula({"1", "-1"}, {"1/2", "1/2"}), {}}; }
MultistepForm leapfrog() { return {formula({"1", "0", "-1"}, {"0", "2", "0"}), {}}; }

Poly<Rational> rational(std::initializer_list<int> coefficients) { return {coefficients.begin(), coefficients.end()}; }

TEST(CircleZeros, AreCountedExactly) {
  const auto on = [](std::initializer_list<int> p) { return circle_zeros(rational(p)).on; };
  const auto outside = [](std::initializer_list<int> p) { return circle_zeros(rational(p)).any_outside; };
  const auto repeated = [](std::initializer_list<int> p) { return circle_zeros(rational(p)).repeated_on; };
  EXPECT_EQ(on({-1, 1}), 1);
  EXPECT_EQ(on({1, 1}), 1);
  EXPECT_EQ(on({-1, 0, 0, 0, 0, 1}), 5);  // fifth roots of unity
  EXPECT_FALSE(outside({-1, 0, 0, 0, 0, 1}) || repeated({-1, 0, 0, 0, 0, 1}));
  EXPECT_EQ(on({0, 0, 0, 1}), 0);
  EXPECT_FALSE(outside({0, 0, 0, 1}));
  EXPECT_TRUE(outside({2, -5, 2}));  // 2 and 1/2
  EXPECT_EQ(on({2, -5, 2}), 0);
  EXPECT_TRUE(outside({-2, 1}));
  EXPECT_TRUE(repeated({1, -2, 1}));
  EXPECT_FALSE(repeated({1, -4, 4}));      // 1/2 twice
  EXPECT_TRUE(repeated({1, 0, 2, 0, 1}));  // (z^2 + 1)^2
  EXPECT_EQ(on({3, 1, 3}), 2);             // a pair, not roots of unity
  EXPECT_TRUE(outside({1, 1, -1, 1}));     // near -0.54, 0.77 +- 1.12 i
  EXPECT_TRUE(outside({6, 5, 1, 4, 5, 6, 9, 1}));
}

// [HNW93, theorem III.3.4]: BDF are zero-stable up to order 6.
TEST(ZeroStable, BdfUpToOrderSix) {
  for (int k = 1; k <= 6; ++k) {
    const Property decision = zero_stable(bdf(k));
    EXPECT_TRUE(decision.holds) << decision.proof;
    EXPECT_THAT(decision.proof, AllOf(StartsWith("exact"), HasSubstr("1 on it, simple")));
  }
  const Property seven = zero_stable(bdf(7));
  EXPECT_FALSE(seven.holds);
  // [HNW93, fig. III.3.1]: just outside, |zeta| = 1.022
  EXPECT_THAT(seven.proof, AllOf(StartsWith("exact"), HasSubstr("of modulus 1.022")));
}

TEST(ZeroStable, RootsOnTheCircle) {
  EXPECT_TRUE(zero_stable(leapfrog()).holds);
  EXPECT_THAT(zero_stable(leapfrog()).proof, HasSubstr("2 on it, simple"));
  const Property twice = zero_stable({formula({"1", "-2", "1"}, {"0", "1", "0"}), {}});
  EXPECT_FALSE(twice.holds);
  EXPECT_THAT(twice.proof, HasSubstr("a repeated zero"));
  // The explicit formula of order 3 with roots 1 and -5. [HNW93, eq. (III.3.3)]
  const Property unstable = zero_stable({formula({"1", "4", "-5"}, {"0", "4", "2"}), {}});
  EXPECT_FALSE(unstable.holds);
  EXPECT_THAT(unstable.proof, HasSubstr("near -5 of modulus 5"));
  // Irrational coefficients: zeros 1 and sqrt(2)/2.
  const Property irrational =
      zero_stable({formula({"1", "-1 - sqrt(2)/2", "sqrt(2)/2"}, {"1 - sqrt(2)/2", "0", "0"}), {}});
  EXPECT_TRUE(irrational.holds) << irrational.proof;
  EXPECT_THAT(irrational.proof, StartsWith("numerical, in 100 digits"));
}

TEST(AStable, BdfUpToOrderTwoAndTheTrapezoidalRule) {
  for (const MultistepForm& form : {bdf(1), bdf(2), trapezoidal()}) {
    const Property decision = a_stable(form);
    EXPECT_TRUE(decision.holds) << decision.proof;
    EXPECT_THAT(decision.proof, StartsWith("exact, in rational arithmetic: Re(rho/sigma)"));
  }
  // Re mu = (1 - cos theta)^2 for BDF2.
  EXPECT_THAT(a_stable(bdf(2)).proof, HasSubstr("= 1 - 2 c + c^2 with c = cos theta >= 0"));
  EXPECT_THAT(a_stable(trapezoidal()).proof, HasSubstr("= 0 with c = cos theta"));
  EXPECT_TRUE(l_stable(bdf(1)).holds);
  EXPECT_TRUE(l_stable(bdf(2)).holds);
  EXPECT_FALSE(l_stable(trapezoidal()).holds);
  EXPECT_THAT(l_stable(trapezoidal()).proof, HasSubstr("but |zeta| -> 1 as w -> -infinity"));
}

// The number behind "w = ", as far as it is real, and whether a root is outside there.
TEST(AStable, CounterexamplesAreTrue) {
  for (int k = 3; k <= 6; ++k) {
    const Property decision = a_stable(bdf(k));
    EXPECT_FALSE(decision.holds);
    EXPECT_THAT(decision.proof, AllOf(StartsWith("exact"), HasSubstr("Dahlquist's second barrier")));
    double radius = 0, re = 0, im = 0;
    const std::size_t at = decision.proof.find("|zeta| = ");
    ASSERT_NE(at, std::string::npos) << decision.proof;
    ASSERT_EQ(std::sscanf(decision.proof.c_str() + at, "|zeta| = %lf at w = %lf + %lf i", &radius, &re, &im), 3)
        << decision.proof;
    EXPECT_LT(re, 0);
    EXPECT_GT(radius, 1);
    // The digits of the counterexample: measured 4e-6.
    EXPECT_NEAR(stability_polynomial(bdf(k)).spectral_radius({re, im}), radius, 1e-4);
  }
}

// rho = 1 - zeta, sigma = 1 + zeta/1000: Re rho/sigma >= 0 on the circle, but zeta is near 1 - w.
TEST(AStable, SeesRootsOutsideAtMinusOne) {
  const Property decision = a_stable({formula({"-1", "1"}, {"1/1000", "1"}), {}});
  EXPECT_FALSE(decision.holds) << decision.proof;
  EXPECT_THAT(decision.proof, HasSubstr("at w = -1"));
}

TEST(AStable, ExplicitFormulasAreNot) {
  EXPECT_FALSE(a_stable(leapfrog()).holds);
  EXPECT_THAT(a_stable(leapfrog()).proof, StartsWith("exact: explicit"));
  const MultistepForm heun{trapezoidal().formula, formula({"1", "-1"}, {"0", "1"})};
  EXPECT_THAT(a_stable(heun).proof, StartsWith("exact: explicit (PECE)"));
}

// One parameter, order 2: A-stable iff theta >= 1/2, with sqrt(2)/2 in 100 digits only.
TEST(AStable, IsNumericalForIrrationalCoefficients) {
  const MultistepForm above{formula({"1", "-1"}, {"sqrt(2)/2", "1 - sqrt(2)/2"}), {}};
  const MultistepForm below{formula({"1", "-1"}, {"1 - sqrt(2)/2", "sqrt(2)/2"}), {}};
  EXPECT_TRUE(a_stable(above).holds) << a_stable(above).proof;
  EXPECT_FALSE(a_stable(below).holds);
  EXPECT_THAT(a_stable(above).proof, StartsWith("numerical, in 100 digits"));
}

TEST(MultistepOrder, OfFormulasAndPece) {
  for (int k = 1; k <= 6; ++k) {
    const MultistepOrder order = multistep_order(bdf(k));
    EXPECT_EQ(order.order, k);
    // Rounding of 100 digits: measured 3e-99.
    EXPECT_LT(abs(order.error_constant + Real100(1) / (k + 1)), Real100("1e-97"));
  }
  EXPECT_EQ(multistep_order({formula({"1", "4", "-5"}, {"0", "4", "2"}), {}}).order, 3);
  EXPECT_EQ(multistep_order(leapfrog()).order, 2);
  // Milne-Simpson.
  EXPECT_EQ(multistep_order({formula({"1", "0", "-1"}, {"1/3", "4/3", "1/3"}), {}}).order, 4);
  const MultistepFormula euler = formula({"1", "-1"}, {"0", "1"});
  const MultistepOrder heun = multistep_order({trapezoidal().formula, euler});
  EXPECT_EQ(heun.order, 2);
  EXPECT_THAT(heun.how, HasSubstr("corrector's order 2 and one more than the predictor's order 1"));
  // Adams-Moulton of order 3 after explicit Euler: the predictor is too poor.
  const MultistepFormula moulton = formula({"1", "-1", "0"}, {"5/12", "8/12", "-1/12"});
  EXPECT_EQ(multistep_order({moulton, formula({"1", "-1", "0"}, {"0", "1", "0"})}).order, 2);
}

TEST(RootLocus, CrossesTheRealAxisWhereZetaIsMinusOne) {
  const auto locus = root_locus(formula({"1", "-1", "0"}, {"0", "3/2", "-1/2"}), 101);
  ASSERT_EQ(locus.size(), 101u);
  EXPECT_LT(std::abs(locus.front()), 1e-15);       // round-off
  EXPECT_LT(std::abs(locus.back() + 1.0), 1e-14);  // Adams-Bashforth 2: [-1, 0]
}

}  // namespace TEST_FILE
}  // namespace daelab
