// Coefficients of explicit methods of order 4 that are stable along the negative real axis over 0.35 s^2: Abdulle's
// construction, ROCK4, with a finishing method of our own.
//
// R = w P_(s-4) of methods/stabilized/rock_polynomial.hpp with two pairs of zeros; l is 5.99 for s = 5 and 0.351 s^2
// for many stages.
//
//   Y_j = Y_(j-1) + mu_j h f(Y_(j-1)) + gamma_j (Y_(j-1) - Y_(j-2)),  j = 1, ..., s - 4,       from P_j(z)/P_j(0)
//   Z_i = Y_(s-4) + h sum_(j<i) a_ij f(Z_j),  i = 1, ..., 4,    y_(n+1) = Y_(s-4) + h sum_i b_i f(Z_i)
//
// The finishing method has w(z)/w(0) as its stability function and makes the composition one of order 4: eight
// conditions for ten coefficients, with c_2 = 1/4, c_3 = 1/2 of its own length sum b solved in closed form as for the
// classical methods of order 4 [HNW93, Sec. II.1]. Those of [Ab02] differ in this choice. All in 100 digits.
//
// [Ab02] Abdulle, Fourth order Chebyshev methods with recurrence relation, SIAM J. Sci. Comput. 23(6), 2002, 2041-2054.
// [HNW93] Hairer, Nørsett, Wanner, Solving Ordinary Differential Equations I, 2nd ed., Springer, 1993.
#pragma once

#include "core/integration/tableau.hpp"

namespace daelab {

struct Rock4Coefficients {
  Real100 length;             // l: |R| <= 19/20 on [-l, -1/20] except the first 0.002 of it
  Vector<Real100> mu, gamma;  // (s - 4)
  Matrix<Real100> A;          // (4, 4)
  Vector<Real100> b;          // (4)
  /// (5) of the estimate h sum_i error_i f(Z_i), Z_5 = y_(n+1): the difference to a method of order 3, unique up to a
  /// factor; error_5 = sum b / 10.
  Vector<Real100> error;
};

inline constexpr int rock4_least_stages = 5, rock4_most_stages = 150;

/// Computed when first asked for (5 stages: milliseconds, 150: about a second) and kept; safe to call from threads.
/// Throws std::logic_error outside of the two limits.
const Rock4Coefficients& rock4_coefficients(int stages);
/// With s + 1 stages, the last one the step end, whose slope the embedded method of order 3 takes.
Tableau rock4_tableau(int stages);

}  // namespace daelab
