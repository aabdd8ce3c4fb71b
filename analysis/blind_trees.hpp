// What the error estimate of an embedded pair does not see at its own order: with w = b - b_embedded and one node more
// than the lower order of both solutions, the trees t with w^T Phi(t) = 0. On equations whose error is in their
// elementary differentials alone, as those of f(t) in the bushy tree and of J y in the tall one, the estimate is a
// power of h smaller than the error.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "analysis/property.hpp"
#include "core/integration/tableau.hpp"
#include "methods/rosenbrock/rosenbrock_form.hpp"

namespace daelab {

struct BlindTrees {
  int nodes = 0, all = 0;          // trees with so many nodes
  std::vector<std::string> blind;  // Phi(t): "c^4", "c * A(c^2)"
};
/// `nodes`: from 1 to 10. The tableau has embedded weights.
BlindTrees blind_trees(const Tableau& tableau, int nodes);
BlindTrees blind_trees(const RosenbrockTableau& tableau, int nodes);

/// Whether it sees all trees of its order, of solutions of these orders; not applicable beyond 10 nodes.
Property estimate_sees_its_trees(const auto& tableau, int order, int embedded_order);
/// As a statement.
Property sees_trees(const BlindTrees& trees, int digits);

inline constexpr int most_nodes_of_estimates = 10;  // 719 trees

Property estimate_sees_its_trees(const auto& tableau, int order, int embedded_order) {
  const int nodes = std::min(order, embedded_order) + 1;
  if (nodes > most_nodes_of_estimates) return not_applicable("too many trees");
  return sees_trees(blind_trees(tableau, nodes), tableau.digits);
}

}  // namespace daelab
