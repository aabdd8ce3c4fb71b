// Coefficients of ROCK2, explicit methods of order 2 that are stable along the negative real axis over 0.81 s^2:
// R = w P_(s-2) of methods/stabilized/rock_polynomial.hpp with one pair of zeros. [AM01]
//
//   Y_j = Y_(j-1) + mu_j h f(Y_(j-1)) + gamma_j (Y_(j-1) - Y_(j-2)),  j = 1, ..., s - 2,       from P_j(z)/P_j(0)
//   Y_(s-1) = Y_(s-2) + h sigma f(Y_(s-2)),  Y* = Y_(s-1) + h sigma f(Y_(s-1)),
//   y_(n+1) = Y* - h sigma (1 - tau/sigma^2) (f(Y_(s-1)) - f(Y_(s-2))),       w(z)/w(0) = 1 + 2 sigma z + tau z^2
//
// Y* has order 1 and estimates the error. The coefficients of [AM01] are tables in double for some s; these are
// computed for every s in 100 digits.
//
// [AM01] Abdulle, Medovikov, Second order Chebyshev methods based on orthogonal polynomials, Numerische Mathematik 90,
// 2001, 1-18.
#pragma once

#include "core/integration/tableau.hpp"

namespace daelab {

struct Rock2Coefficients {
  Real100 length;             // l: |R| < 0.98 on [-l, -1/20]
  Vector<Real100> mu, gamma;  // (s - 2)
  Real100 sigma, tau;
};

inline constexpr int rock2_least_stages = 3, rock2_most_stages = 200;

/// Computed when first asked for and kept; safe to call from threads. Throws std::logic_error outside of the two
/// limits.
const Rock2Coefficients& rock2_coefficients(int stages);
/// 0.808 s^2 - 1.13, a bound of l from below.
double rock2_length(int stages);
/// The number of stages whose stability interval contains [-length, 0] by this bound: the least one to 19, then one of
/// about ten per doubling, so that few members are computed. More than `most` when these do not suffice.
double rock2_stages(double length, int most);
Tableau rock2_tableau(int stages);

}  // namespace daelab
