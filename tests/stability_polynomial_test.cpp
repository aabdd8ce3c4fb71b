// Stability polynomials of Runge-Kutta and multistep methods, their roots and linear orders.
//
// [HNW93] Hairer, Nørsett, Wanner, Solving Ordinary Differential Equations I, Secs. III.1-III.3.
// [HW96] Hairer, Wanner, Solving Ordinary Differential Equations II, Secs. IV.3, V.1.
#include "analysis/stability_polynomial.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <utility>

#include "analysis/roots.hpp"
#include "methods/multistep/adams.hpp"
#include "methods/multistep/bdf_stepper.hpp"
#include "methods/runge_kutta/block_coefficients.hpp"
#include "methods/runge_kutta/collocation.hpp"

namespace daelab {
namespace TEST_FILE {

using Complex = std::complex<double>;

MultistepFormula adams(const Vector<Real100>& weights, Index first, Index k) {
  MultistepFormula formula{Vector<Real100>::Zero(k + 1), Vector<Real100>::Zero(k + 1)};
  formula.alpha[0] = 1, formula.alpha[1] = -1;
  formula.beta.segment(first, weights.size()) = weights;
  return formula;
}

MultistepForm adams_bashforth_form(int k) { return {adams(adams_bashforth(k), 1, k), {}}; }
MultistepForm adams_moulton_form(int k) { return {adams(adams_moulton(k), 0, k), {}}; }

TEST(StabilityPolynomial, OfRungeKuttaIsTheStabilityFunction) {
  const StabilityFunction R = stability_function(radau_iia(3));
  const StabilityPolynomial pi = stability_polynomial(R);
  EXPECT_EQ(pi.degree(), 1);
  // R = (60 + 24 w + 3 w^2)/(60 - 36 w + 9 w^2 - w^3)
  for (const Complex w : {Complex(-3, 2), Complex(0.1, -7), Complex(40, 0.5), Complex(-1e200, 1e100)}) {
    const Complex u = 1.0 / w;  // without overflow
    const Complex expected = u * (60.0 * u * u + 24.0 * u + 3.0) / (60.0 * u * u * u - 36.0 * u * u + 9.0 * u - 1.0);
    EXPECT_LT(std::abs(pi.roots(w).at(0) - expected), 1e-14 * std::abs(expected)) << w;
    EXPECT_NEAR(pi.spectral_radius(w) / std::abs(expected), 1, 1e-14) << w;  // round-off
  }
  EXPECT_EQ(pi.spectral_radius_at_infinity(), 0);
  EXPECT_NEAR(stability_polynomial(stability_function(gauss(4))).spectral_radius_at_infinity(), 1, 1e-15);  // round-off
}

TEST(StabilityPolynomial, OfMultistepIsRhoMinusWSigma) {
  const StabilityPolynomial pi = stability_polynomial(MultistepForm{bdf_formula(2), {}});
  // (3/2 - w) zeta^2 - 2 zeta + 1/2
  const Complex w(-1.3, 0.7);
  const Complex root = std::sqrt(1.0 + 2.0 * w);
  std::vector<Complex> roots = pi.roots(w);
  ASSERT_EQ(roots.size(), 2u);
  if (std::abs(roots[0]) < std::abs(roots[1])) std::swap(roots[0], roots[1]);
  const Complex a = (2.0 + root) / (3.0 - 2.0 * w), b = (2.0 - root) / (3.0 - 2.0 * w);
  // Round-off: measured 1.7e-16.
  EXPECT_LT(std::abs(roots[0] - (std::abs(a) > std::abs(b) ? a : b)), 1e-15);
  EXPECT_NEAR(pi.spectral_radius(w), std::max(std::abs(a), std::abs(b)), 1e-15);
  EXPECT_TRUE(std::isinf(pi.spectral_radius(1.5)));
  EXPECT_EQ(pi.roots(1.5).size(), 1u);
  EXPECT_EQ(pi.spectral_radius_at_infinity(), 0);
}

// The largest root of Adams-Moulton formulas at infinity is that of sigma; explicit ones have none that stays bounded.
TEST(StabilityPolynomial, AtInfinity) {
  EXPECT_NEAR(stability_polynomial(adams_moulton_form(2)).spectral_radius_at_infinity(), 1, 1e-15);
  // 5 zeta^2 + 8 zeta - 1
  EXPECT_NEAR(stability_polynomial(adams_moulton_form(3)).spectral_radius_at_infinity(), (4 + std::sqrt(21.0)) / 5,
              1e-14);
  EXPECT_TRUE(std::isinf(stability_polynomial(adams_bashforth_form(2)).spectral_radius_at_infinity()));
  EXPECT_TRUE(
      std::isinf(stability_polynomial(MultistepForm{adams(adams_moulton(2), 0, 1), adams(adams_bashforth(1), 1, 1)})
                     .spectral_radius_at_infinity()));
}

// Explicit Euler predicts, the trapezoidal rule corrects: Heun's method, R = 1 + w + w^2/2.
TEST(StabilityPolynomial, OfPeceTakesThePredictedSlope) {
  const StabilityPolynomial pi =
      stability_polynomial(MultistepForm{adams(adams_moulton(2), 0, 1), adams(adams_bashforth(1), 1, 1)});
  const Complex w(-1.1, 0.4);
  EXPECT_LT(std::abs(pi.roots(w).at(0) - (1.0 + w + w * w / 2.0)), 1e-15);  // round-off
  EXPECT_EQ(linear_order(pi).order, 2);
  EXPECT_LT(abs(linear_order(pi).error_constant - Real100(1) / 6), Real100("1e-95"));  // rounding of 100 digits
}

// [HNW93, eq. (III.2.6), tables III.2.1, III.2.2]: C_(p+1)/sigma(1).
TEST(LinearOrder, KnowsTheErrorConstants) {
  const auto expect = [](const MultistepForm& form, int order, const Real100& constant) {
    const LinearOrder linear = linear_order(stability_polynomial(form));
    EXPECT_EQ(linear.order, order);
    EXPECT_LT(abs(linear.error_constant - constant), Real100("1e-97"));  // rounding of 100 digits: measured 4e-99
  };
  expect(adams_bashforth_form(1), 1, Real100(1) / 2);
  expect(adams_bashforth_form(2), 2, Real100(5) / 12);
  expect(adams_bashforth_form(3), 3, Real100(3) / 8);
  expect(adams_bashforth_form(4), 4, Real100(251) / 720);
  expect(adams_moulton_form(2), 2, Real100(-1) / 12);
  expect(adams_moulton_form(3), 3, Real100(-1) / 24);
  expect(adams_moulton_form(4), 4, Real100(-19) / 720);
  for (int k = 1; k <= 6; ++k) expect({bdf_formula(k), {}}, k, Real100(-1) / (k + 1));
  expect(adams_bashforth_form(6), 6, Real100(19087) / 60480);
}

// For the (k, j)-Padé approximant: (-1)^j j! k! / ((j + k)! (j + k + 1)!). [HW96, theorem IV.3.11]
TEST(LinearOrder, OfPadeApproximants) {
  const auto factorial = [](int n) {
    Real100 product = 1;
    for (int i = 2; i <= n; ++i) product *= i;
    return product;
  };
  for (int r = 1; r <= 8; ++r)
    for (int k = std::max(0, r - 2); k <= r; ++k) {
      const LinearOrder linear =
          linear_order(stability_polynomial(stability_function(pade_block(node_family("uniform", r), k, r).tableau())));
      const Real100 expected =
          (r % 2 == 0 ? 1 : -1) * factorial(r) * factorial(k) / (factorial(k + r) * factorial(k + r + 1));
      EXPECT_EQ(linear.order, k + r);
      EXPECT_LT(abs(linear.error_constant / expected - 1), Real100("1e-90"));  // rounding of 100 digits: measured 4e-95
    }
}

// On the negative axis the terms of the numerator cancel: in double nothing is left of exp(-20) beside exp(20).
TEST(StabilityPolynomial, SurvivesCancellation) {
  const StabilityFunction R = stability_function(gauss(20));
  const StabilityPolynomial pi = stability_polynomial(R);
  for (const int x : {5, 20, 30, 40, 100}) {
    const Real100 w = -x, expected = abs(evaluate(R.numerator, w) / evaluate(R.denominator, w));
    EXPECT_NEAR(pi.spectral_radius(-x) / static_cast<double>(expected), 1, 1e-11) << x;  // measured 2e-13
  }
}

// T_s(1 + w/s^2) of 100 stages: coefficients down to 1e-340, cancellation of 75 digits. Its modulus is one at the
// extrema 1 + w/s^2 = cos(i pi/s).
TEST(StabilityPolynomial, EvaluatesChebyshevPolynomialsOfHundredStages) {
  const int s = 100;
  Poly<Real100> before{Real100(1)}, T{Real100(1), Real100(1) / (s * s)};
  const Poly<Real100> twice{Real100(2), Real100(2) / (s * s)};
  for (int i = 1; i < s; ++i) {
    Poly<Real100> next = product(twice, T);
    for (std::size_t m = 0; m < before.size(); ++m) next[m] -= before[m];
    before = std::exchange(T, next);
  }
  StabilityFunction R;
  R.numerator = T, R.denominator = {Real100(1)};
  const StabilityPolynomial pi = stability_polynomial(R);
  // Measured 3e-11.
  for (int i = 0; i <= s; ++i) EXPECT_NEAR(pi.spectral_radius(s * s * (std::cos(M_PI * i / s) - 1)), 1, 1e-9) << i;
  EXPECT_GT(pi.spectral_radius(-2.001 * s * s), 43);  // cosh(100 arcosh(1.001)) = 43.8
}

TEST(Zeros, OfPolynomialsWithZerosAtNoughtAndInfinity) {
  EXPECT_TRUE(zeros({Complex(2)}).empty());
  EXPECT_EQ(zeros({Complex(0), Complex(0), Complex(3)}), (std::vector<Complex>{0, 0}));
  EXPECT_EQ(largest_zero({Complex(0), Complex(3)}), 0.0);
  EXPECT_TRUE(std::isinf(std::abs(largest_zero({Complex(1), Complex(0)}))));
  EXPECT_NEAR(std::abs(largest_zero({Complex(-6), Complex(5), Complex(1)})), 6, 1e-14);  // (z - 1)(z + 6)
}

}  // namespace TEST_FILE
}  // namespace daelab
