// A(alpha) and stability intervals, against the literature and dense sampling.
//
// [HW96] Hairer, Wanner, Solving Ordinary Differential Equations II, 2nd ed., table V.2.1 and Sec. IV.2.
#include "analysis/stability_sector.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "methods/multistep/adams.hpp"
#include "methods/multistep/bdf_stepper.hpp"
#include "methods/runge_kutta/block_coefficients.hpp"
#include "methods/runge_kutta/collocation.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;
using testing::StartsWith;

// y_(n+1) - y_n = h (weights of f_(n+1-first), f_(n-first), ...) over k steps.
MultistepFormula adams(const Vector<Real100>& weights, Index first, Index k) {
  MultistepFormula formula{Vector<Real100>::Zero(k + 1), Vector<Real100>::Zero(k + 1)};
  formula.alpha[0] = 1, formula.alpha[1] = -1;
  formula.beta.segment(first, weights.size()) = weights;
  return formula;
}

MethodForm adams_bashforth_form(int k) { return MultistepForm{adams(adams_bashforth(k), 1, k), {}}; }
MethodForm adams_moulton_form(int k) { return MultistepForm{adams(adams_moulton(k), 0, std::max(k - 1, 1)), {}}; }
// Adams-Moulton of this order after an Adams-Bashforth formula.
MethodForm pece_form(int order, int predictor) {
  return MultistepForm{adams(adams_moulton(order), 0, order), adams(adams_bashforth(predictor), 1, predictor)};
}

// [HW96, table V.2.1], to the digits printed there.
// Bound: half a unit of the last digit.
TEST(StabilitySector, OfBdf) {
  const std::array<double, 6> expected{90, 90, 86.03, 73.35, 51.84, 17.84};
  for (int k = 1; k <= 6; ++k) {
    const auto sector = stability_sector(MultistepForm{bdf_formula(k), {}});
    ASSERT_TRUE(sector) << k;
    EXPECT_NEAR(sector->degrees, expected[static_cast<std::size_t>(k) - 1], 0.005) << k;
    EXPECT_THAT(sector->proof, StartsWith(k <= 2 ? "exact" : "numerical, to 8 digits"));
  }
  EXPECT_FALSE(stability_sector(MultistepForm{bdf_formula(7), {}}));
}

// Whole degrees in Table 1 of Shampine, Reichelt 1997.
TEST(StabilitySector, OfNumericalDifferentiationFormulas) {
  const std::array<double, 5> printed{90, 90, 80, 66, 51};
  for (int k = 1; k <= 5; ++k) {
    const auto sector = stability_sector(MultistepForm{bdf_formula(k, true), {}});
    ASSERT_TRUE(sector) << k;
    EXPECT_NEAR(sector->degrees, printed[static_cast<std::size_t>(k) - 1], 1) << k;
  }
}

TEST(StabilitySector, NoneForMethodsUnstableOnTheNegativeAxis) {
  EXPECT_FALSE(stability_sector(tableau_by_name("rk4-classical", "")));
  EXPECT_FALSE(stability_sector(adams_bashforth_form(2)));
  EXPECT_FALSE(stability_sector(NoForm{"none"}));
  // Adams-Moulton of order 3: the interval ends at -6.
  EXPECT_FALSE(stability_sector(adams_moulton_form(3)));
  EXPECT_NEAR(stability_intervals(adams_moulton_form(3))->real, 6, 1e-8);
}

// Padé approximants with j > k + 2; the angles by dense sampling of |R| along rays, to 0.01 degree.
TEST(StabilitySector, OfPadeApproximantsBeyondEhlesWedge) {
  struct Case {
    int r, k;
    double degrees;
  };
  for (const Case& c : {Case{3, 0, 88.230}, Case{4, 0, 83.984}, Case{4, 1, 89.733}, Case{5, 0, 79.114},
                        Case{5, 1, 88.030}, Case{5, 2, 89.946}}) {
    const auto sector = stability_sector(pade_block(node_family("uniform", c.r), c.k, c.r).tableau());
    ASSERT_TRUE(sector);
    EXPECT_NEAR(sector->degrees, c.degrees, 0.005) << c.k << " " << c.r;  // half of that
    EXPECT_THAT(sector->proof, StartsWith("exact, in rational arithmetic"));
  }
  EXPECT_EQ(stability_sector(gauss(5))->degrees, 90);
  EXPECT_EQ(stability_sector(radau_iia(5))->degrees, 90);
}

// By sampling too, with the same bound.
TEST(StabilitySector, OfTenNodes) {
  EXPECT_NEAR(stability_sector(pade_block(node_family("chebyshev", 10), 0, 10).tableau())->degrees, 58.83, 0.005);
}

// |R| <= 1 on a net of the sector, > 1 somewhere on a ray 0.01 degree beyond.
TEST(StabilitySector, AgreesWithDenseSampling) {
  const Tableau tableau = pade_block(node_family("chebyshev", 4), 0, 4).tableau();
  const auto sector = stability_sector(tableau);
  ASSERT_TRUE(sector);
  EXPECT_THAT(sector->proof, StartsWith("exact, for the fractions that match"));
  const StabilityPolynomial pi = stability_polynomial(stability_function(tableau));
  const auto largest = [&pi](double degrees) {
    double radius = 0;
    for (int i = 1; i < 4000; ++i)
      radius = std::max(radius, pi.spectral_radius(-0.005 * i * std::polar(1.0, degrees * M_PI / 180)));
    return radius;
  };
  // In the sector |R| is 1 at most, by definition.
  for (const double part : {0.0, 0.5, 0.9, 0.99}) EXPECT_LE(largest(part * sector->degrees), 1);
  EXPECT_LE(largest(sector->degrees), 1);
  EXPECT_GT(largest(sector->degrees + 0.01), 1);
}

// SDIRK methods: gamma = (3 - sqrt(3))/6 has |R(infinity)| = 2.73. R = (1 + (1 - 2 gamma) w)/(1 - gamma w)^2 is
// A-stable from gamma = 1 - sqrt(2)/2 = 0.29 on; gamma = sqrt(5)/10 = 0.22 is bounded by one on the negative axis.
TEST(StabilitySector, OfIrrationalMethods) {
  const Tableau none = tableau_from_json(Json::parse(R"({"A": [["(3 - sqrt(3))/6", 0],
      ["sqrt(3)/3", "(3 - sqrt(3))/6"]], "b": ["1/2", "1/2"]})"),
                                         "");
  EXPECT_FALSE(stability_sector(none));
  const Tableau irrational = tableau_from_json(Json::parse(R"({"A": [["sqrt(5)/10", 0],
      ["1 - sqrt(5)/10", "sqrt(5)/10"]], "b": ["1 - sqrt(5)/10", "sqrt(5)/10"]})"),
                                               "");
  const auto sector = stability_sector(irrational);
  ASSERT_TRUE(sector);
  EXPECT_LT(sector->degrees, 90);  // measured 76.8
  EXPECT_THAT(sector->proof, StartsWith("numerical, in 100 digits"));
}

struct Interval {
  const char* name;
  double real, imaginary;
};

// Real and imaginary intervals of explicit methods. [HW96, Sec. IV.2]
// Bound: round-off of the digits given, measured 2e-15.
TEST(StabilityIntervals, OfExplicitRungeKutta) {
  for (const Interval& expected : {Interval{"explicit-euler", 2, 0}, Interval{"explicit-midpoint", 2, 0},
                                   Interval{"heun", 2, 0}, Interval{"rk3-kutta", 2.5127453266183286, std::sqrt(3.0)},
                                   Interval{"rk4-classical", 2.785293563405282, std::sqrt(8.0)},
                                   Interval{"dormand-prince", 3.306567892634946, 0.997189008632528}}) {
    const auto found = stability_intervals(tableau_by_name(expected.name, ""));
    ASSERT_TRUE(found);
    EXPECT_NEAR(found->real, expected.real, 1e-13) << expected.name;
    EXPECT_NEAR(found->imaginary, expected.imaginary, 1e-13) << expected.name;
  }
}

// Real: where zeta = -1; imaginary: where the root locus crosses the axis.
// Bound: found to 8 digits. Measured 1e-10.
TEST(StabilityIntervals, OfAdamsBashforth) {
  const std::array<double, 4> real{2, 1, 6.0 / 11, 3.0 / 10}, imaginary{0, 0, 0.7236272269866327, 0.42998707990925605};
  for (int k = 1; k <= 4; ++k) {
    const auto found = stability_intervals(adams_bashforth_form(k));
    ASSERT_TRUE(found);
    EXPECT_NEAR(found->real, real[static_cast<std::size_t>(k) - 1], 1e-8) << k;
    EXPECT_NEAR(found->imaginary, imaginary[static_cast<std::size_t>(k) - 1], 1e-8) << k;
  }
}

// Which Adams formulas and pairs have an imaginary interval depends on the order modulo 4. Near 0 |zeta(iy)| - 1 is of
// order y^(p+1) or y^(p+2): sampling cannot tell. [Ghrist, Fornberg, Reeger, BIT 55, 2015, 733-750]
TEST(StabilityIntervals, ImaginaryOnesOfAdamsFormulas) {
  const auto exists = [](const MethodForm& form) { return stability_intervals(form)->imaginary > 0; };
  for (int p = 1; p <= 10; ++p) {
    const bool low = p % 4 == 1 || p % 4 == 2;  // 1, 2, 5, 6, 9, 10, ...
    EXPECT_EQ(exists(adams_bashforth_form(p)), !low) << p;
    EXPECT_EQ(exists(adams_moulton_form(p)), low) << p;
    EXPECT_EQ(exists(pece_form(p, p)), low) << p;
    if (p > 1) {
      EXPECT_EQ(exists(pece_form(p, p - 1)), !low) << p;
    }
  }
}

TEST(StabilityIntervals, OfLeapfrogAndAStableMethods) {
  MultistepFormula leapfrog{Vector<Real100>::Zero(3), Vector<Real100>::Zero(3)};
  leapfrog.alpha[0] = 1, leapfrog.alpha[2] = -1, leapfrog.beta[1] = 2;
  const auto found = stability_intervals(MultistepForm{leapfrog, {}});
  EXPECT_EQ(found->real, 0);
  EXPECT_NEAR(found->imaginary, 1, 1e-8);  // found to 8 digits
  for (const MethodForm& form : {MethodForm(MultistepForm{bdf_formula(2), {}}), MethodForm(gauss(3))}) {
    EXPECT_TRUE(std::isinf(stability_intervals(form)->real));
    EXPECT_TRUE(std::isinf(stability_intervals(form)->imaginary));
  }
  EXPECT_TRUE(std::isinf(stability_intervals(MultistepForm{bdf_formula(3), {}})->real));
  EXPECT_EQ(stability_intervals(MultistepForm{bdf_formula(3), {}})->imaginary, 0);
}

// R = T_3(1 + w/9) = 1 + w + 4/27 w^2 + 4/729 w^3 touches 1 in modulus twice inside [-18, 0] and nowhere exceeds it.
TEST(StabilityIntervals, PassPointsThatTouchOne) {
  const Tableau chebyshev =
      tableau_from_json(Json::parse(R"({"A": [[0,0,0], ["1/27",0,0], [0,"4/27",0]], "b": [0,0,1]})"), "");
  EXPECT_EQ(stability_function(chebyshev).text(), "(729 + 729 w + 108 w^2 + 4 w^3)/729");
  EXPECT_NEAR(stability_intervals(chebyshev)->real, 18, 1e-12);  // round-off of 18: measured 1e-14
}

}  // namespace TEST_FILE
}  // namespace daelab
