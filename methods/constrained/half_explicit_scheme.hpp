// Coefficients of half-explicit Runge-Kutta methods for index 2, with embedded formulas.
//
// Order conditions are those of systems y' = f(y, z), 0 = g(y) of index 2 with f linear in z, as mechanisms with
// linear equations of motion have it: f(v, L) = M^-1 (Q - C_q^T L). Their trees, with the weights that multipliers
// bring in, are those of [HLR89, Sec. 5] without several z-sons at one node. tests/half_explicit_test.cpp makes all of
// them up to the order.
//
// [HLR89] Hairer, Lubich, Roche, The Numerical Solution of Differential-Algebraic Systems by Runge-Kutta Methods,
//         Springer, 1989.
// [BH93] Brasey, Hairer, Half-explicit Runge-Kutta methods for differential-algebraic systems of index 2,
//        SIAM J. Numer. Anal. 30(2), 1993, 538-552.
// [Mur97] Murua, Partitioned half-explicit Runge-Kutta methods for differential-algebraic systems of index 2,
//         Computing 59, 1997, 43-61.
// [Arn98] Arnold, Half-explicit Runge-Kutta methods with explicit stages for differential-algebraic systems of index 2,
//         BIT 38(3), 1998, 415-438.
#pragma once

#include <algorithm>

#include "core/integration/tableau.hpp"

namespace daelab {

/// Stage i starts from row i of the tableau; its multipliers are those with which row i of `constrained` satisfies the
/// velocity constraints. A first row of zeros: stage 1 is the start of the step, whose accelerations are known.
struct HalfExplicitScheme {
  Tableau tableau;
  Matrix<Real100> constrained;  // (s, s) lower triangular; the last row is b, so that steps end on the constraints
  Vector<Real100> embedded;     // (s + 2) weights of the stages' slopes, and of those at both ends of the step
  int embedded_order = 0;

  bool explicit_first_stage() const { return constrained(0, 0) == 0; }
  /// Of h in the difference of both solutions.
  int estimate_exponent() const { return std::min(tableau.claimed_order, embedded_order) + 1; }
};

/// Of order 1 to 5.
HalfExplicitScheme half_explicit_scheme(int order);

}  // namespace daelab
