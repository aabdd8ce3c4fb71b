#include "analysis/dae_conditions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/base/exact.hpp"

namespace daelab {
namespace {

// The forest stops growing at this number of trees, which takes half a second.
constexpr std::size_t most_trees = 6000;

Rounded under(const std::vector<DaeWeights::Operator>& operators, Rounded x) {
  for (const DaeWeights::Operator& factor : operators) x = factor.matrix->A(x);
  return x;
}

std::string under(const std::vector<DaeWeights::Operator>& operators, std::string x) {
  for (const DaeWeights::Operator& factor : operators) x = fmt::format("{}({})", factor.name, x);
  return x;
}

}  // namespace

std::string explained(const char* what, const DaeConditions& c) {
  return c.is_exact
             ? fmt::format("{} of order {} fails by {}: {}", what, c.order + 1, to_text(c.residual, 3), c.violated)
             : fmt::format("all {} conditions of {} up to order {} hold", c.checked, what, c.order);
}

DaeConditionSearch::DaeConditionSearch(int index, const DaeWeights& weights, Trees trees, bool pruned)
    : weights_(weights),
      forest_(
          index, [this, pruned](std::size_t place) { return weigh(place) || !pruned; }, trees) {}

DaeConditions DaeConditionSearch::of(Vertex root, int most) {
  return of(root, most, [](const DaeTree& tree, int order) { return tree.order == order; });
}

DaeConditions DaeConditionSearch::of(Vertex root, int most, const Asks& asks) {
  DaeConditions found;
  // A forest up to an order of y has algebraic trees of one or two orders less, and z of index 3 of one less.
  const int ahead = root == Vertex::y ? 0 : root == Vertex::u ? 2 : 1;
  while (found.order < most && !found.is_exact) {
    const int order = found.order + 1;
    if (!grow_to(order + ahead)) break;
    for (std::size_t i = 0; i < Phi_.size() && !found.is_exact; ++i)
      if (forest_[i].root == root && forest_[i].order <= order && asks(forest_[i], order)) compare(i, order, found);
    if (!found.is_exact) found.order = order;
  }
  return found;
}

// Adds trees up to an order of those with a root y. False if there are too many.
bool DaeConditionSearch::grow_to(int order) {
  while (grown_ < order && Phi_.size() < most_trees) forest_.grow_to(++grown_);
  return grown_ >= order;
}

// Whether the weight of a new tree is independent of those of the same kind and order, each times its gamma.
bool DaeConditionSearch::weigh(std::size_t place) {
  const DaeTree& tree = forest_[place];
  Phi_.push_back(weight(tree));
  Rounded scaled = Phi_.back();
  scaled.value *= tree.gamma, scaled.error *= tree.gamma;
  return hulls_[{tree.root, tree.order}].take_in(scaled, weights_.b->exact());
}

DaeWeights::Operator DaeConditionSearch::of_child(const DaeTree& parent, std::size_t child) const {
  const DaeWeights::OfChild& both =
      weights_.below[static_cast<std::size_t>(parent.root)][static_cast<std::size_t>(forest_[child].root)];
  return parent.children.size() == 1 ? both.alone : both.beside;
}

Rounded DaeConditionSearch::weight(const DaeTree& tree) const {
  Rounded product = weights_.b->ones();
  for (const std::size_t i : tree.children) {
    const DaeWeights::Operator factor = of_child(tree, i);
    product = weights_.b->times(product, factor.matrix != nullptr ? factor.matrix->A(Phi_[i]) : Phi_[i]);
  }
  Rounded Phi = under(weights_.root[static_cast<std::size_t>(tree.root)], std::move(product));
  if (weights_.finish) weights_.finish(tree, Phi);
  return Phi;
}

void DaeConditionSearch::compare(std::size_t i, int order, DaeConditions& found) const {
  const DaeTree& tree = forest_[i];
  if (tree.order == order) ++found.checked;
  const auto& end = weights_.end[static_cast<std::size_t>(tree.root)];
  const auto [value, error] = weights_.b->sum(under(end, Phi_[i]));
  const Real100 wanted = 1 / tree.gamma, residual = abs(value - wanted);
  if (vanishes(residual, error)) return;
  found.is_exact = true, found.residual = residual;
  found.violated =
      fmt::format("b^T({}) = {}, must be {}", under(end, text(tree)), to_text(value, 12), exact_text(wanted));
}

// Phi, leaves first: "c * W(c^3)".
std::string DaeConditionSearch::text(const DaeTree& tree) const {
  std::vector<std::string> factors;
  std::map<std::string, int> leaves;
  for (const std::size_t i : tree.children) {
    const DaeWeights::Operator factor = of_child(tree, i);
    if (forest_[i].children.empty())
      ++leaves[factor.leaf];
    else
      factors.push_back(factor.matrix != nullptr ? fmt::format("{}({})", factor.name, text(forest_[i]))
                                                 : text(forest_[i]));
  }
  std::vector<std::string> powers;
  for (const auto& [leaf, count] : leaves) powers.push_back(count == 1 ? leaf : fmt::format("{}^{}", leaf, count));
  factors.insert(factors.begin(), powers.begin(), powers.end());
  const std::string product = factors.empty() ? "1" : fmt::format("{}", fmt::join(factors, " * "));
  return under(weights_.root[static_cast<std::size_t>(tree.root)], product);
}

}  // namespace daelab
