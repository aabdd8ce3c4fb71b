#include "core/expressions/collected_terms.hpp"

#include <utility>

namespace daelab {

CollectedTerms::CollectedTerms(const Graph& graph, const PrintedShapes& shapes, Node sum,
                               const std::function<bool(Node)>& has_name)
    : graph_(graph), shapes_(shapes), has_name_(has_name) {
  add(sum, 1);
}

void CollectedTerms::add(Node node, const Real100& factor) {
  if (graph_.is_constant(node)) return add_term(one, Real100(factor * graph_.constant_value(node)));
  if (has_name_(node) || shapes_.is_truth(node) || shapes_.power(node).exponent > 1) return add_term(node, factor);
  const NodeContents& x = graph_[node];
  switch (x.operation) {
    case Operation::add:
      return add(x.a, factor), add(x.b, factor);
    case Operation::subtract:
      return add(x.a, factor), add(x.b, Real100(-factor));
    case Operation::negate:
      return add(x.a, Real100(-factor));
    case Operation::multiply:
      for (const auto& [number, other] : {std::pair(x.a, x.b), std::pair(x.b, x.a)})
        if (graph_.is_constant(number)) return add_term(other, Real100(factor * graph_.constant_value(number)));
      return add_term(node, factor);
    default:
      return add_term(node, factor);
  }
}

void CollectedTerms::add_term(Node node, const Real100& factor) {
  const auto [place, is_new] = places_.emplace(node, list_.size());
  if (is_new) return list_.push_back({node, factor});
  has_equal_ones_ = true;
  list_[place->second].factor += factor;
}

}  // namespace daelab
