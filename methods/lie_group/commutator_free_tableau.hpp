// Commutator-free methods on Lie groups [CMO03, CG93]: explicit stages whose points are products of exponentials of
// slopes,
//
//   g_i = g_n exp(h sum_j a^1_ij v_j) exp(h sum_j a^2_ij v_j) ...,  v_i = v_n + h sum_j (a^1_ij + a^2_ij + ...) v'_j,
//   g_(n+1) = g_n exp(h sum_j b^1_j v_j) exp(h sum_j b^2_j v_j) ...
//
// The first factor acts first. In R^n they are Runge-Kutta methods. Order p: the products and the exact flow have the
// same coefficients of all words of ordered trees with p vertices and less [Owr06].
//
// [CG93] Crouch, Grossman, Numerical integration of ordinary differential equations on manifolds, Journal of Nonlinear
//        Science 3, 1993, 1-33.
// [CMO03] Celledoni, Marthinsen, Owren, Commutator-free Lie group methods, Future Generation Computer Systems 19, 2003,
//         341-352.
// [Owr06] Owren, Order conditions for commutator-free Lie group methods, Journal of Physics A 39, 2006, 5585-5599.
#pragma once

#include <string>
#include <vector>

#include "core/base/json.hpp"
#include "core/integration/tableau.hpp"
#include "methods/lie_group/lie_scheme.hpp"

namespace daelab {

/// A product of exponentials: of each the coefficients of all slopes.
using ExponentialProduct = std::vector<Vector<Real100>>;

struct CommutatorFreeTableau {
  std::string name, source;
  int order = 0;                           // claimed
  int digits = 0;                          // of rounded coefficients; 0: all are exact
  Real100 tolerance{0};                    // what their rounding may make of a condition
  std::vector<ExponentialProduct> stages;  // the first without a factor
  ExponentialProduct step;

  /// Of R^n.
  Tableau tableau() const;
};

/// As one of all explicit methods on Lie groups.
LieScheme lie_scheme_of(const CommutatorFreeTableau& tableau);

/// Reads {"name", "exponentials", "step", "order", "source"?, "summary"?}: a list of products for each stage, and that
/// of the step. Rows may be shorter than the number of slopes they may use; numbers as in other tableaus. Throws
/// InputError with the place: a row that uses its own stage or a later one, and a claimed order that does not hold.
CommutatorFreeTableau commutator_free_from_json(const Json& json, const std::string& where);

}  // namespace daelab
