// What a method does to the damped oscillator q'' + 2 zeta omega q' + omega^2 q = 0: the picture structural dynamics
// has of a method. All by Omega = omega h and the damping ratio zeta; a method of first-order systems is taken on
// y = (q, v).
//
// Every mode z of X_(n+1) = A(Omega, zeta) X_n is a root of the characteristic polynomial; the two that tend to
// exp(w), w = Omega (-zeta +- i sqrt(1 - zeta^2)), as Omega -> 0 are the principal ones, z = |z| exp(+-i phi).
//
// [CH93] Chung, Hulbert, Journal of Applied Mechanics 60(2), 1993, 371-375, doi 10.1115/1.2900803.
// [HH78] Hilber, Hughes, Earthquake Engineering and Structural Dynamics 6, 1978, 99-117, doi 10.1002/eqe.4290060111.
// [Hug87] Hughes, The Finite Element Method, Prentice-Hall, 1987, Secs. 9.1, 9.3.
#pragma once

#include <array>
#include <complex>
#include <optional>
#include <vector>

#include "analysis/property.hpp"
#include "analysis/stability_polynomial.hpp"

namespace daelab {

/// For a method at one (Omega, zeta).
struct OscillatorResponse {
  double spectral_radius = 0;
  /// For the principal pair. NaN where the pair has become real, and from Omega sqrt(1 - zeta^2) = pi on: fewer than
  /// two steps a period do not show an oscillation.
  double period_error = 0;  // (T' - T)/T = Omega sqrt(1 - zeta^2)/phi - 1
  /// -log|z| / |log z|, zeta for the exact solution; 0 where log|z| is round-off. [Hug87, Sec. 9.3]
  double damping_ratio = 0;
};

/// Methods with a stability polynomial or an oscillator form; makes Omega-sweeps cheap.
class Oscillator {
 public:
  /// Nothing for methods without coefficients.
  static std::optional<Oscillator> of(const MethodForm& form);

  /// All modes: eigenvalues of A. Infinite ones are left out.
  std::vector<std::complex<double>> modes(double Omega, double zeta) const;
  /// Infinite where a mode is.
  double spectral_radius(double Omega, double zeta = 0) const;
  OscillatorResponse response(double Omega, double zeta = 0) const;
  /// The spectral radius as Omega -> infinity, undamped: rho_infinity.
  double rho_infinity() const;

  /// The largest |q_n| and |h v_n|/Omega over the first `steps` steps from q_0 = 1, v_0 = 0, a_0 = -omega^2 (multistep
  /// methods: from exact values), but at least 1, what the exact undamped motion reaches. [HH78]
  struct Overshoot {
    double displacement = 1, velocity = 1;
  };
  Overshoot overshoot(double Omega, int steps = 10) const;
  /// The powers of Omega that both grow with as Omega -> infinity; 0: bounded. Nothing for rho_infinity > 1.
  struct OvershootPowers {
    int displacement = 0, velocity = 0;
  };
  std::optional<OvershootPowers> overshoot_powers() const;

 private:
  // An oscillator form rounded to double.
  struct Pencil {
    std::array<Matrix<double>, 3> next, now;
    double rho_infinity = 0;
    Matrix<double> amplification(double Omega, double zeta) const;
  };
  static Pencil rounded(const OscillatorForm& form);

  Oscillator() = default;
  std::complex<double> principal_mode(std::complex<double> w, double Omega, double zeta) const;
  Overshoot overshoot_of_form(double Omega, int steps) const;
  Overshoot overshoot_of_polynomial(double Omega, int steps) const;

  std::optional<StabilityPolynomial> pi_;  // of a method of first-order systems
  std::optional<Pencil> pencil_;           // of one of second-order systems only
};

/// All modes of the undamped oscillator stay in the unit circle, those on it simple, for every Omega > 0. For
/// oscillator forms exact: the characteristic polynomial in z, its coefficients polynomials in Omega^2, by
/// Routh-Hurwitz after z = (1 + s)/(1 - s) and Sturm's theorem in Omega^2. Runge-Kutta methods: as a_stable where that
/// holds, else the same (modes that meet do no harm there). Multistep methods: as a_stable where that holds, else
/// numerical.
Property unconditionally_stable(const MethodForm& form);

/// The largest Omega up to which that is so: 2 for symplectic Euler; infinite for unconditionally stable methods, 0
/// where there is none. NaN for methods without coefficients.
double stability_limit(const MethodForm& form);

/// p of the principal modes: exp(w) - z = O(Omega^(p+1)), and h v = w q up to O(Omega^(p+1)), for every zeta; from 100
/// digits. Where the modes alone are of higher order, q and v are still of order p.
int oscillator_order(const OscillatorForm& form);

}  // namespace daelab
