// What a method does to y' = lambda y, for Runge-Kutta and multistep methods alike: y_n = zeta^n is a solution where
//
//   pi(zeta, w) = sum_ij c_ij w^i zeta^j = 0,   w = h lambda.
//
//   Runge-Kutta   Q(w) zeta - P(w),  R = P/Q
//   multistep     rho(zeta) - w sigma(zeta)
//   PECE          rho(zeta) - w (sigma(zeta) - beta_0 zeta^k) - w beta_0 (predicted value)
//
// The principal root, the one with zeta(0) = 1, approximates exp(w).
//
// [HW96] Hairer, Wanner, Solving Ordinary Differential Equations II, 2nd ed., Springer, 1996, Sec. V.1.
#pragma once

#include <complex>
#include <optional>
#include <vector>

#include "analysis/stability.hpp"
#include "core/integration/method_form.hpp"

namespace daelab {

struct StabilityPolynomial {
  explicit StabilityPolynomial(Matrix<Real100> coefficients);

  Matrix<Real100> c;           // (degree in w + 1, degree in zeta + 1), fixed from construction
  Real100 tolerance{"1e-80"};  // what is below it in a series in w counts as zero: more with rounded coefficients

  Index degree() const { return c.cols() - 1; }  // in zeta: how many roots

  /// All zeta at w, in double; infinite ones (leading coefficient zero) are left out.
  std::vector<std::complex<double>> roots(std::complex<double> w) const;
  /// The largest |zeta|; infinite where a root is.
  double spectral_radius(std::complex<double> w) const;
  /// The largest |zeta| as w -> infinity.
  double spectral_radius_at_infinity() const;

 private:
  // sum_i c_ij w^i, up to a factor common to all j.
  std::complex<double> coefficient(Index j, std::complex<double> w) const;
  std::vector<std::complex<double>> in_zeta(std::complex<double> w) const;

  double scale_;            // of w: gives the first and the last row of c the same size
  Matrix<Real100> scaled_;  // c_ij scale^i / (size of the first row)
  Matrix<double> rounded_;
};

StabilityPolynomial stability_polynomial(const StabilityFunction& R);
StabilityPolynomial stability_polynomial(const MultistepForm& form);
/// Nothing for methods of second-order systems only, and for those without coefficients.
std::optional<StabilityPolynomial> stability_polynomial(const MethodForm& form);

/// exp(w) - zeta(w) = C w^(p+1) + O(w^(p+2)) for the principal root: p, no order on nonlinear equations is higher, and
/// C, which for multistep methods is the error constant C_(p+1)/sigma(1).
struct LinearOrder {
  int order = 0;
  Real100 error_constant = 0;  // NaN where zeta = 1 is not a simple root at w = 0
};
LinearOrder linear_order(const StabilityPolynomial& pi);

}  // namespace daelab
