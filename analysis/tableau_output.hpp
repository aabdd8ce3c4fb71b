// Dense output of a Runge-Kutta tableau by weights that are polynomials in the part theta of a step:
//
//   u(t_n + theta h) = y_n + h sum_i b_i(theta) k_i,   b_i(theta) = sum_k w_ik theta^k,  k = 1, 2, ...
//
// It has order p by conditions where sum_i b_i(theta) Phi_i(t) = theta^|t| / gamma(t) for all rooted trees with up to p
// nodes and for every theta: the order of the tableau with A/theta and b(theta)/theta. [HNW93]
//
// [HNW93] Hairer, Nørsett, Wanner, Solving Ordinary Differential Equations I, 2nd ed., Springer, 1993, Sec. II.6.
#pragma once

#include <string>

#include "core/base/json.hpp"
#include "core/integration/tableau.hpp"

namespace daelab {

struct TableauOutput {
  Matrix<Real100> weights, error;  // (s, degree) of theta, theta^2, ..., and how far each may be off
};

/// {"dense_output": a row for each stage}: the numbers of theta, theta^2, .... Shorter rows end with zeros. Decimals of
/// eight places and more are rounded ones. Throws InputError with the place.
TableauOutput tableau_output_from_json(const Json& json, Index stages, const std::string& where);

/// To which order its conditions hold at all theta, up to `most`.
struct TableauOutputOrder {
  int conditions = 0;
  std::string how;            // with the condition that fails, and for which theta
  bool meets_the_end = true;  // b(1) are the weights of the step
};
TableauOutputOrder output_order(const Tableau& tableau, const TableauOutput& output);

}  // namespace daelab
