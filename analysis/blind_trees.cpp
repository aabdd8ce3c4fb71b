#include "analysis/blind_trees.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "analysis/dae_trees.hpp"
#include "analysis/rounded_coefficients.hpp"

namespace daelab {
namespace {

// What only children are weighed by, what others, and the difference of the weights as b of the first.
struct Pair {
  const RoundedCoefficients& alone;
  const RoundedCoefficients& beside;
  std::string of_alone, leaf_alone;  // "A", "c"
};

struct Weight {
  Rounded Phi;
  std::string text;
};

// Products of the same factors as powers, leaves first.
std::string product_text(const std::vector<std::string>& factors) {
  std::map<std::string, int> powers;
  for (const std::string& factor : factors) ++powers[factor];
  std::vector<std::string> texts;
  for (const auto& [factor, power] : powers) {
    std::string text = power == 1 ? factor : fmt::format("{}^{}", factor, power);
    texts.insert(factor == "c" ? texts.begin() : texts.end(), std::move(text));
  }
  return texts.empty() ? "1" : fmt::format("{}", fmt::join(texts, " * "));
}

Weight weight_of(const DaeTree& tree, const Pair& pair, const std::map<std::size_t, Weight>& known) {
  const bool is_alone = tree.children.size() == 1;
  const RoundedCoefficients& M = is_alone ? pair.alone : pair.beside;
  Rounded Phi = pair.alone.ones();
  std::vector<std::string> factors;
  for (const std::size_t place : tree.children) {
    const Weight& child = known.at(place);
    Phi = M.times(Phi, M.A(child.Phi));
    const std::string name = is_alone ? pair.of_alone : "A", leaf = is_alone ? pair.leaf_alone : "c";
    factors.push_back(child.text == "1" ? leaf : fmt::format("{}({})", name, child.text));
  }
  return {std::move(Phi), product_text(factors)};
}

BlindTrees found(const Pair& pair, int nodes) {
  // Rooted trees: those of index 2 in which no algebraic vertex is a child.
  DaeForest* trees = nullptr;
  DaeForest forest(2, [&trees](std::size_t place) { return (*trees)[place].root == Vertex::y; });
  trees = &forest;
  forest.grow_to(nodes);
  BlindTrees result;
  result.nodes = nodes;
  std::map<std::size_t, Weight> known;
  for (int order = 1; order <= nodes; ++order)
    for (const std::size_t place : forest.of(Vertex::y, order)) {
      Weight weight = weight_of(forest[place], pair, known);
      if (order == nodes) {
        ++result.all;
        if (vanishes(pair.alone.sum(weight.Phi))) result.blind.push_back(weight.text);
      }
      known.emplace(place, std::move(weight));
    }
  return result;
}

// b - b_embedded as b.
Tableau with_difference(Tableau t, const Tableau& weights) {
  t.b = weights.b - weights.b_embedded;
  if (t.digits > 0) t.b_error = weights.b_error + weights.b_embedded_error;
  return t;
}

}  // namespace

BlindTrees blind_trees(const Tableau& tableau, int nodes) {
  const RoundedCoefficients A(with_difference(tableau, tableau));
  return found({A, A, "A", "c"}, nodes);
}

BlindTrees blind_trees(const RosenbrockTableau& tableau, int nodes) {
  Tableau of_beta = tableau.on_linear_equations();
  of_beta = with_difference(of_beta, of_beta);
  Tableau of_alpha = of_beta;
  of_alpha.A = tableau.alpha;
  if (tableau.digits > 0) of_alpha.A_error = pow(Real100(10), 1 - tableau.digits) * tableau.alpha.cwiseAbs();
  const RoundedCoefficients beta(of_beta), alpha(of_alpha);
  return found({beta, alpha, "beta", "beta(1)"}, nodes);
}

Property sees_trees(const BlindTrees& trees, int digits) {
  const std::string kind = digits == 0 ? "exact" : fmt::format("numerical, to {} digits", digits);
  const std::string which = trees.all == 1 ? "the tree" : fmt::format("the {} trees", trees.all);
  if (trees.blind.empty())
    return {true,
            fmt::format("{}: (b - b_embedded)^T Phi is 0 for none of {} with {} nodes", kind, which, trees.nodes)};
  constexpr std::size_t most_named = 6;
  std::vector<std::string> named(
      trees.blind.begin(), trees.blind.begin() + static_cast<std::ptrdiff_t>(std::min(most_named, trees.blind.size())));
  if (trees.blind.size() > most_named) named.push_back(fmt::format("{} more", trees.blind.size() - most_named));
  return {false, fmt::format("{}: both solutions agree on {} of {} with {} nodes, those with Phi = {}", kind,
                             trees.blind.size(), which, trees.nodes, fmt::join(named, ", "))};
}

}  // namespace daelab
