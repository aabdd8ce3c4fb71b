// Orders of pairs of tableaus (PairForm) on y' = f(y, z), z' = k(y, z, u), 0 = g(y), from trees.
//
//   Y_i = y_n + h sum_j a_ij f(Y_j, Z_j),   Z_i = z_n + h sum_j â_ij k(Y_j, Z_j, U_j),   0 = g(Y_i), i > 1,
//   y_(n+1) = Y_s,   z_(n+1) = z_n + h sum_j b_j k(Y_j, Z_j, U_j),   0 = (g_y f)(y_(n+1), z_(n+1)).
//
// U_1, ..., U_(s-1) follow from the stages on the constraint: with N the product of rows 2, ..., s of a and columns 1,
// ..., s - 1 of â, Phi([t1 .. tm]_u) = N^-1 (a Phi(t1) * ... * a Phi(tm)). U_s enters z_(n+1) alone, so that its weight
// is what makes the condition of the tree [u]_z hold, once those of fewer vertices do. U_i - u(t_n) vanishes with h if
// a c = a â 1 = c^2/2, and then trees as of Runge-Kutta methods follow, with a for branches to y and â for branches to
// z.
//
// Step ends are on both constraints and u_n does not enter a step: a one-step method on a manifold, whose order is that
// of its local error. So trees decide. [Jay96] proves order 2s - 2 of Lobatto pairs from B(2s - 2), C(s), D(s - 2) of a
// and C(s - 2), D(s) of â: the proof for pairs whose trees would take too long.
//
// [Jay96] Jay, Symplectic partitioned Runge-Kutta methods for constrained Hamiltonian systems, SIAM J. Numer. Anal.
//         33(1), 1996, 368-387.
#pragma once

#include "analysis/dae_orders.hpp"
#include "core/integration/method_form.hpp"

namespace daelab {

struct PairOrders {
  int order = 0;                                              // of y and z
  bool is_exact = false;                                      // a condition of order + 1 fails
  int B = 0, C = 0, D = 0, conjugate_C = 0, conjugate_D = 0;  // simplifying assumptions that hold
  std::string how;
};
PairOrders pair_orders(const PairForm& pair);
DaeOrders dae_orders_of(const PairOrders& orders);

/// The local conditions of y and of z, each up to the first that fails, when stages have the accuracy that trees need.
struct PairConditions {
  DaeConditions y, z;
};
PairConditions pair_conditions(const PairForm& pair, int most);

}  // namespace daelab
