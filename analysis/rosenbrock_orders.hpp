// Orders of Rosenbrock methods on differential-algebraic systems, from trees.
//
// On index 1 the conditions are those of rosenbrock_conditions.hpp. On index 2, y' = f(y, z), 0 = g(y), with v_i = y_n
// + sum_j alpha_ij k_j, w_i = z_n + sum_j alpha_ij l_j,
//
//   k_i = h f(v_i, w_i) + h f_y sum_j gamma_ij k_j + h f_z sum_j gamma_ij l_j,   0 = g(v_i) + g_y sum_j gamma_ij k_j.
//
// Linear terms of the expansion add up to beta, others have alpha, so that of the trees of Runge-Kutta methods
//
//   Phi([x]_y) = beta Phi(x),   Phi([x1 .. xm]_y) = prod alpha Phi(xi),   m >= 2,
//   Phi([t]_z) = W Phi(t),      Phi([t1 .. tm]_z) = W W prod alpha Phi(ti),   W = beta^-1,
//
// condition b^T Phi = 1/gamma for both kinds. Below alpha, W does not cancel: all trees count.
//
// From local to global errors: a step leaves R = 1 - b^T W 1 times of g(y_n) and of an error of z, as of Runge-Kutta
// methods, and an error dz of z_n changes y_(n+1) by O(h^2 dz + h dz^2), because increments of z make up for it in what
// is linear in z. So for |R| < 1 the order of z is q if its local error is O(h^q), that of y at least min(p, q + 1, 2
// q) for a local error O(h^(p+1)), where trees [u]_y of the last order need not hold [HLR89, Chap. 4, for Runge-Kutta].
// The condition of order 2, b^T W^2 c^2 = 2, is that of [LR90].
//
// [HLR89] Hairer, Lubich, Roche, The numerical solution of differential-algebraic systems by Runge-Kutta methods, LNM
// 1409, Springer, 1989. [LR90] Lubich, Roche, Rosenbrock methods for differential-algebraic systems with
// solution-dependent singular matrix multiplying the derivative, Computing 43, 1990.
#pragma once

#include <vector>

#include "analysis/dae_orders.hpp"
#include "analysis/rosenbrock_conditions.hpp"

namespace daelab {

/// Conditions on index 2 after one step.
LocalDaeOrders index_two_conditions(const RosenbrockTableau& tableau, int most);

/// On index 1, index 2 and index 3, the last with the reason why there is none.
std::vector<DaeOrders> dae_orders(const RosenbrockTableau& tableau, const RosenbrockOrders& orders);

}  // namespace daelab
