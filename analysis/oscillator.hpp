// What a method does to the damped oscillator q'' + 2 zeta omega q' + omega^2 q = 0: the picture structural dynamics has
// of a method. All by Omega = omega h and the damping ratio zeta; a method of first-order systems is taken on
// y = (q, h v).
//
// Every mode of X_(n+1) = A(Omega, zeta) X_n is a root of the characteristic polynomial; the two that tend to
// exp(i Omega) are the principal ones, z = |z| exp(i phi).
//
// [CH93] Chung, Hulbert, Journal of Applied Mechanics 60(2), 1993, 371-375, doi 10.1115/1.2900803.
// [Hug87] Hughes, The Finite Element Method, Prentice-Hall, 1987, Secs. 9.1, 9.3.
#pragma once

#include <complex>
#include <optional>
#include <vector>

#include "analysis/stability_polynomial.hpp"
#include "analysis/verdict.hpp"

namespace daelab {

/// Of a method at one (Omega, zeta).
struct OscillatorResponse {
  double spectral_radius = 0;
  /// Of the principal pair: phi against Omega_d = Omega sqrt(1 - zeta^2), and the damping ratio it shows,
  /// -log|z| / phi. NaN where the pair has become real.
  double period_error = 0;     // (T' - T)/T = Omega_d / phi - 1
  double damping_ratio = 0;
};

/// Methods with a stability polynomial or an oscillator form; makes Omega-sweeps cheap.
class Oscillator {
 public:
  /// Nothing for methods without coefficients.
  static std::optional<Oscillator> of(const MethodForm& form);

  /// All modes: eigenvalues of A.
  std::vector<std::complex<double>> modes(double Omega, double zeta) const;
  double spectral_radius(double Omega, double zeta = 0) const;
  OscillatorResponse response(double Omega, double zeta = 0) const;
  /// The spectral radius as Omega -> infinity, undamped: rho_infinity.
  double rho_infinity() const;
  /// The largest |q_n| over the first `steps` steps from q_0 = 1, v_0 = 0 (of `displacement`), or |h v_n| / Omega from
  /// the same start, at a large Omega: overshoot. 1 for the exact solution. [Hug87, Sec. 9.3]
  struct Overshoot {
    double displacement = 1, velocity = 1;
  };
  Overshoot overshoot(double Omega, int steps = 10) const;

 private:
  explicit Oscillator(MethodForm form);
  MethodForm form_;
  std::optional<StabilityPolynomial> pi_;
};

/// All modes of the undamped oscillator stay in the unit circle, those on it simple, for every Omega > 0. For oscillator
/// forms exact: the characteristic polynomial in zeta, its coefficients polynomials in Omega^2, by Routh-Hurwitz after
/// zeta = (1 + s)/(1 - s) and Sturm's theorem in Omega^2. Others: as a_stable where that holds, else numerical.
Verdict unconditionally_stable(const MethodForm& form);

/// The largest Omega up to which all modes of the undamped oscillator stay in the unit circle: 2 for symplectic Euler;
/// infinite for unconditionally stable methods, 0 where none is.
double stability_limit(const MethodForm& form);

/// exp(i Omega) - z = O(Omega^(p+1)): p, from exact coefficients.
int oscillator_order(const OscillatorForm& form);

}  // namespace daelab
