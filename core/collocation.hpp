// Gauss, Radau and Lobatto nodes on [0, 1] and the Runge-Kutta methods on them, in 100 digits.
//
//   Gauss       zeros of P_s              collocation, order 2s,      A-stable
//   Radau IIA   zeros of P_s - P_(s-1)    collocation, order 2s - 1,  L-stable
//   Lobatto IIIC  0, 1, zeros of P'_(s-1)  a_i1 = b_1 and C(s-1), order 2s - 2, L-stable
//
// [HW96] Hairer, Wanner, Solving Ordinary Differential Equations II, 2nd ed., Springer, 1996,
// Sec. IV.5.
#pragma once

#include "core/tableau.hpp"

namespace daelab {

/// Zeros of the Legendre polynomial P_n, moved to [0, 1], ascending, symmetric about 1/2; (n).
Vector<Real100> legendre_zeros(int n);
/// Zeros of P'_n, moved to [0, 1], ascending, symmetric about 1/2; (n - 1).
Vector<Real100> legendre_derivative_zeros(int n);
/// Zeros of P_s - P_(s-1), moved to [0, 1], ascending, the last exactly 1; (s).
Vector<Real100> radau_nodes(int s);

/// Row j: the coefficients, x^m in column m, of the polynomial that is 1 at nodes[j] and 0 at the
/// others.
Matrix<Real100> lagrange_basis(const Vector<Real100>& nodes);

/// The collocation method a_ij = int_0^(c_i) l_j, b_j = int_0^1 l_j.
Tableau collocation(const Vector<Real100>& nodes);

/// Throw InputError outside 1 <= s <= 20 (Lobatto: 2 <= s <= 20).
Tableau gauss(int s);
Tableau radau_iia(int s);
Tableau lobatto_iiic(int s);

}  // namespace daelab
