// Orders of Runge-Kutta tableaus on differential-algebraic systems, from the trees of their order conditions.
//
//   index 1:  y' = f(y, z), 0 = g(y, z): stages satisfy g. y has the order of the tableau; z by trees of products
//   index 2:  y' = f(y, z), 0 = g(y)
//   index 3:  y' = f(y, z), z' = k(y, z, u), 0 = g(y): stiffly accurate methods of stage order q >= 2
//   half-explicit, index 2: Z_i follows from g(Y_(i+1)) = 0, so that explicit tableaus apply
//
// z_(n+1) = R z_n + sum_ij b_i w_ij Z_j with W = A^-1 and R = R(infinity) = 1 - b^T W 1. Where the first stage is
// explicit, Z_1 = z_n, and W inverts the rest of A.
//
// From local errors to global ones [HLR89]: errors of y in the image of f_z are off the constraints, and the next step
// leaves R times of them. So conditions of trees [u]_y of the last order need not hold unless R = 1. Errors of z are
// carried on by R, too; for |R| > 1 no order is given. Order 0 is a bounded error.
//
// [HLR89] Hairer, Lubich, Roche, The numerical solution of differential-algebraic systems by Runge-Kutta methods, LNM
// 1409, Springer, 1989. [BH93] Brasey, Hairer, Half-explicit Runge-Kutta methods for differential-algebraic systems of
// index 2, SIAM J. Numer. Anal. 30, 1993. [HW96] Hairer, Wanner, Solving Ordinary Differential Equations II, 2nd ed.,
// Springer, 1996, Chaps. VI, VII. [Jay95] Jay, Convergence of Runge-Kutta methods for differential-algebraic systems of
// index 3, Appl. Numer. Math. 17, 1995.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/dae_conditions.hpp"
#include "analysis/order_conditions.hpp"
#include "core/integration/tableau.hpp"

namespace daelab {

/// The proved orders on one class of systems.
struct DaeOrders {
  int index = 0;
  bool half_explicit = false;
  bool linear_in_u = false;  // index 3 with k linear in u, as in mechanics
  // Orders of the errors at a fixed time; nothing if they do not converge or are not known.
  std::optional<int> y = {}, z = {}, u = {};
  bool is_exact_y = false, is_exact_z = false;  // otherwise lower bounds, as u always is
  std::string how = {};
};

/// Conditions on (y, z) at the end of one step.
struct LocalDaeOrders {
  DaeConditions y, projected_y, z;  // projected: without the trees [u]_y of the last order
};
/// The implicit part of A is regular; for half-explicit ones rows 2 to s of A and b, a triangle, are.
LocalDaeOrders index_two_conditions(const Tableau& tableau, int most);
LocalDaeOrders half_explicit_conditions(const Tableau& tableau, int most);

/// On (y, z, u), of tableaus with a regular A and stage order 2 or more.
struct IndexThreeConditions {
  DaeConditions y, z, u;
};
IndexThreeConditions index_three_conditions(const Tableau& tableau, int most);

/// |R(infinity)| < 1, beyond doubt.
bool decays(const Real100& R);
/// The conditions of y on index 2 without the trees [u]_y of the last order.
DaeConditions without_last_chains(DaeConditionSearch& conditions, int most);

/// For each class of systems that the tableau can solve.
std::vector<DaeOrders> dae_orders(const Tableau& tableau, const OrderReport& conditions);

}  // namespace daelab
