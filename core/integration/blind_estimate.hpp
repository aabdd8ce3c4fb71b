// What the estimate of an embedded pair does not see. The difference h sum_i w_i k_i of both solutions, w = b -
// b_embedded,
//
//   vanishes on y' = f(t) for every f where the w_i of equal c_i add up to 0: both solutions are one quadrature rule,
//   as those of Fehlberg's pair of orders 7 and 8; vanishes on y' = J y for every J where w^T A^k e = 0 for all k, e =
//   (1, ..., 1).
#pragma once

#include <string>

#include "core/integration/tableau.hpp"

namespace daelab {

struct EstimateSight {
  bool time = true, linear_problems = true;
};
/// Whether it vanishes nowhere so; of a tableau without embedded weights nothing is said against it.
EstimateSight estimate_sight(const Tableau& tableau);

/// What a run must know of it, on equations that depend on t or not; "" for nothing.
std::string blind_estimate_warning(const EstimateSight& sees, bool equations_depend_on_time);

/// A quadrature rule on the different nodes c of a tableau, the first of them 0.
struct NodeRule {
  Vector<Real100> nodes, weights;
};
/// What b misses of the interpolatory rule on its nodes: h sum_i weights_i f(t_n + nodes_i h) is the error of a step on
/// y' = f(t), as far as so many values tell it. Weights of 0 where b is this rule.
NodeRule error_of_quadrature(const Tableau& tableau);

}  // namespace daelab
