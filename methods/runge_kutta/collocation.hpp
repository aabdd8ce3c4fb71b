// The Runge-Kutta methods on Gauss, Radau and Lobatto nodes, in 100 digits.
//
//   Gauss       zeros of P_s              collocation, order 2s,      A-stable
//   Radau IIA   zeros of P_s - P_(s-1)    collocation, order 2s - 1,  L-stable
//   Lobatto IIIA  0, 1, zeros of P'_(s-1)  collocation, order 2s - 2, A-stable
//   Lobatto IIIC  0, 1, zeros of P'_(s-1)  a_i1 = b_1 and C(s-1), order 2s - 2, L-stable
//
// [HW96] Hairer, Wanner, Solving Ordinary Differential Equations II, 2nd ed., Springer, 1996,
// Sec. IV.5.
#pragma once

#include "core/integration/tableau.hpp"
#include "core/solvers/quadrature.hpp"

namespace daelab {

/// The collocation method a_ij = int_0^(c_i) l_j, b_j = int_0^1 l_j.
Tableau collocation(const Vector<Real100>& nodes);

/// Throw InputError outside 1 <= s <= 20 (Lobatto: 2 <= s <= 20).
Tableau gauss(int s);
Tableau radau_iia(int s);
Tableau lobatto_iiic(int s);
/// From 3 stages on. The embedded weights are those of the quadrature without the middle node, of order s - 1.
Tableau lobatto_iiia(int s);

}  // namespace daelab
