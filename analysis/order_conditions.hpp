// The classical order of a Runge-Kutta tableau, and its simplifying assumptions.
//
//   order p:  b^T Phi(t) = 1 / gamma(t) for every rooted tree t with at most p nodes
//   B(p):     sum_i b_i c_i^(k-1) = 1/k,                        k = 1..p
//   C(q):     sum_j a_ij c_j^(k-1) = c_i^k / k,                 k = 1..q, all i
//   D(z):     sum_i b_i c_i^(k-1) a_ij = b_j (1 - c_j^k) / k,   k = 1..z, all j
//
// Errors of stages of size h^(k+1) stay out of the step end, on linear equations of any stiffness, when b is orthogonal
// to them and to all that A makes of them: the pseudo-stage order [Skv06], weak stage order in [Ket20].
//
// Rounded coefficients satisfy a condition when what is left is no more than their rounding can make of it, to first
// order.
//
// [HNW93] Hairer, Nørsett, Wanner, Solving Ordinary Differential Equations I, 2nd ed., Springer,
// 1993, Secs. II.2, II.7.
// [Skv06] Skvortsov, Diagonally implicit Runge-Kutta methods for stiff problems, Comput. Math. Math. Phys. 46, 2006.
// [Ket20] Ketcheson, Seibold, Shirokoff, Zhou, DIRK schemes with high weak stage order, in: Spectral and High Order
// Methods for Partial Differential Equations, Springer, 2020.
#pragma once

#include <string>
#include <vector>

#include "core/integration/tableau.hpp"

namespace daelab {

struct OrderReport {
  int order = 0;
  int all_trees = 0;  // up to so many nodes all trees were looked at
  /// A condition of order + 1 fails, so the order is not higher. Otherwise `order` is a lower
  /// bound.
  bool is_exact = false;
  int quadrature_order = 0;    // largest p with B(p)
  int stage_order = 0;         // largest q with C(q) and B(q)
  int pseudo_stage_order = 0;  // largest q with B(q) and b^T A^m (A c^(k-1) - c^k / k) = 0, k = 1..q, all m
  int C = 0;                   // largest q with C(q); a zero first row of A satisfies all of them
  int D = 0;                   // largest z with D(z)
  /// max |b^T Phi(t) - 1/gamma(t)| over the trees with order + 1 nodes; 0 unless is_exact.
  Real100 residual = 0;
  /// For the conditions of order 1, 2, ..., order: max |b^T Phi(t) - 1/gamma(t)|, and of the last ones what rounding
  /// the coefficients may do to it.
  std::vector<Real100> residuals;
  Real100 tolerance = 0;
  std::string violated;  // the condition of that residual: "b^T(c * A(c)) = 0.166666666667, must be 1/8"
  std::string how;       // which conditions were checked, in words
};

/// Checks all rooted trees with up to max_order + 1 nodes, and further orders while they have at
/// most 2000 trees. Under C(q) a subtree of one node with fewer than q leaves can be replaced by
/// leaves and gives nothing new, so it is left out: for methods of high stage order few trees
/// remain, and the order is decided without Butcher's theorem (B, C and D imply an order) having to
/// bound it. Beyond, the trees that all others follow from (tree_hulls.hpp), until they take too long: the order is a
/// lower bound then. Conditions count as satisfied below 1e-70, and below what the errors of the coefficients can do to
/// them.
OrderReport order_report(const Tableau& tableau, int max_order = 10);

/// Whether it has this order, without looking further; true where no condition is known to fail.
bool has_order(const Tableau& tableau, int order);

/// The order on y' = f(t, y) of a tableau whose nodes c need not be the sums of rows, up to `most`.
struct TimeOrder {
  int order = 0;
  std::string violated;  // a condition of order + 1 that fails, A1 the sums of rows; "" where `most` is reached
};
TimeOrder order_with_time(const Tableau& tableau, int most);

}  // namespace daelab
