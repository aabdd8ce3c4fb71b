// Order conditions of Rosenbrock and W-methods, on ordinary equations and on index 1.
//
// Trees of y-vertices (f) and z-vertices ((-g_z)^-1 g), rho the number of y-vertices, beta = alpha + gamma, W =
// beta^-1:
//
//   Phi([]_y) = 1,   Phi([t]_y) = beta Phi(t),   Phi([t1 .. tm]_y) = prod alpha Phi(ti),   m >= 2,
//   Phi([t1 .. tm]_z) = W prod alpha Phi(ti),   m >= 2,
//   g([t1 .. tm]_y) = rho prod g(ti),   g([t1 .. tm]_z) = prod g(ti),   condition b^T Phi(t) = 1/g(t).
//
// Trees with one z-vertex alone below a vertex repeat others, since beta W = 1. Those without z-vertices are the
// conditions on ordinary equations; order p on index 1 takes y-trees to p and z-trees to p - 1, and |R(infinity)| < 1.
// [Roc88; HW96, Secs. IV.7, VI.4]
//
// A W-method keeps its order with any matrix in the place of f_y: single children are of two kinds, alpha and gamma,
// and trees with gamma have the value 0. [HW96, Sec. IV.7]
//
// On y' = lambda (y - phi(t)) + phi'(t) the error of a step is sum_m h^m phi^(m)/m! (b^T kappa_m(z) - 1); C_m: it
// vanishes for all z. [PR74; Ste95]
//
// [HW96] Hairer, Wanner, Solving Ordinary Differential Equations II, 2nd ed., Springer.
// [PR74] Prothero, Robinson, Math. Comp. 28, 1974, 145-162.
// [Roc88] Roche, Rosenbrock methods for differential algebraic equations, Numer. Math. 52, 1988, 45-63.
// [Ste95] Steinebach, Order-reduction of ROW-methods for DAEs and method of lines applications, TH Darmstadt, 1995.
#pragma once

#include <string>
#include <vector>

#include "core/integration/tableau.hpp"
#include "methods/rosenbrock/rosenbrock_form.hpp"

namespace daelab {

/// Conditions of one order and kind together.
struct RosenbrockConditions {
  int count = 0;
  bool hold = true;
  Real100 residual = 0;  // the largest
  std::string violated;  // the condition of that residual, where they do not hold: "b^T(c^2) = 0.3331, must be 1/3"
};

/// By order 1, 2, ...: the conditions on ordinary equations, all y-trees, all z-trees (whose first order has none), and
/// those of W-methods, up to 4.
struct RosenbrockTrees {
  std::vector<RosenbrockConditions> ordinary, y, z, w;
};
/// The conditions of the main method or, `embedded`, of the embedded one. Residuals count as zero below what the digits
/// of rounded coefficients can make of them, of exact ones below 1e-60. Pruned: without trees with subtrees whose
/// conditions follow from those of others.
RosenbrockTrees rosenbrock_trees(const RosenbrockTableau& tableau, bool embedded, int highest_order,
                                 bool pruned = false);

/// The orders up to which conditions hold, and of the first that does not, what fails.
struct RosenbrockOrders {
  int ordinary = 0, y = 0, z = 0, index_1 = 0, w = 0;
  std::string beyond_ordinary, beyond_y, beyond_z, beyond_w;
  std::vector<double> residuals;  // of the conditions on ordinary equations of order 1 to `ordinary`
};
RosenbrockOrders rosenbrock_orders(const RosenbrockTableau& tableau, bool embedded);

/// R(infinity) = 1 - b^T W 1.
Real100 rosenbrock_at_infinity(const RosenbrockTableau& tableau, bool embedded);
/// The largest residual of the conditions of C_m, m = 2, 3, ...; 0: they hold.
Real100 prothero_robinson_defect(const RosenbrockTableau& tableau, bool embedded, int m);
/// b^T W^2 alpha^2 = 2: order 2 on index 2 in a special case.
bool has_index_2_condition(const RosenbrockTableau& tableau);
/// b^T alpha W alpha 1 = 1/2, b^T W alpha 1 = 1: a W-method keeps order 2 on index 1.
bool has_w_conditions_of_index_1(const RosenbrockTableau& tableau);

}  // namespace daelab
