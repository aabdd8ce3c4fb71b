// Interpolatory quadrature in 100 digits: Gauss, Radau and Lobatto nodes on [0, 1], and weights on any nodes.
//
// [HW96] Hairer, Wanner, Solving Ordinary Differential Equations II, 2nd ed., Springer, 1996, Sec. IV.5.
#pragma once

#include "core/base/scalar.hpp"

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

/// int_0^x of each polynomial of the Lagrange basis on these nodes; shape of the nodes.
Vector<Real100> interpolatory_weights(const Vector<Real100>& nodes, const Real100& x);

}  // namespace daelab
