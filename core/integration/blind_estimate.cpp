#include "core/integration/blind_estimate.hpp"

#include <algorithm>
#include <vector>

#include "core/solvers/quadrature.hpp"

namespace daelab {
namespace {

Real100 size_of_zero(const Tableau& tableau) {
  const Real100 exact("1e-60");
  if (tableau.digits == 0) return exact;
  const Real100 rounded = tableau.b_error.cwiseAbs().sum() + tableau.b_embedded_error.cwiseAbs().sum();
  return rounded > exact ? rounded : exact;
}

// The different nodes, 0 first and the others as they come, with the sums of these weights; b has none at a node 0 that
// the tableau does not have.
NodeRule by_nodes(const Tableau& tableau, const Vector<Real100>& weights) {
  const Real100 same("1e-40");
  std::vector<Real100> nodes{0}, sums{0};
  for (Index i = 0; i < weights.size(); ++i) {
    std::size_t k = 0;
    while (k < nodes.size() && abs(nodes[k] - tableau.c[i]) > same) ++k;
    if (k == nodes.size()) nodes.push_back(tableau.c[i]), sums.push_back(0);
    sums[k] += weights[i];
  }
  const auto count = static_cast<Index>(nodes.size());
  return {Eigen::Map<Vector<Real100>>(nodes.data(), count), Eigen::Map<Vector<Real100>>(sums.data(), count)};
}

bool vanishes(const Vector<Real100>& x, const Real100& zero) {
  return std::all_of(x.begin(), x.end(), [&](const Real100& entry) { return abs(entry) <= zero; });
}

}  // namespace

EstimateSight estimate_sight(const Tableau& tableau) {
  if (tableau.b_embedded.size() == 0) return {};
  const Vector<Real100> w = tableau.b - tableau.b_embedded;
  Vector<Real100> power = Vector<Real100>::Ones(w.size()), moments(w.size());
  for (Index k = 0; k < w.size(); ++k) {
    moments[k] = w.dot(power);
    power = tableau.A.lazyProduct(power).eval();
  }
  const Real100 zero = size_of_zero(tableau);
  return {!vanishes(by_nodes(tableau, w).weights, zero), !vanishes(moments, zero)};
}

std::string blind_estimate_warning(const EstimateSight& sees, bool equations_depend_on_time) {
  if (!sees.linear_problems)
    return "both solutions of this tableau agree on y' = J y: there the estimate is 0, and steps grow without bound";
  if (!equations_depend_on_time || sees.time) return "";
  return "both solutions of this tableau agree on y' = f(t): where equations depend on time alone the estimate is 0, "
         "and "
         "steps grow without bound";
}

NodeRule error_of_quadrature(const Tableau& tableau) {
  NodeRule rule = by_nodes(tableau, tableau.b);
  rule.weights -= interpolatory_weights(rule.nodes, Real100(1));
  for (Real100& weight : rule.weights)
    if (abs(weight) <= size_of_zero(tableau)) weight = 0;
  return rule;
}

}  // namespace daelab
