#include "core/expressions/printed_shapes.hpp"

#include <algorithm>
#include <utility>

namespace daelab {

constexpr int largest_power = 100;  // that pow() writes as multiplications

PrintedShapes::PrintedShapes(const Graph& graph) : graph_(graph) {
  for (Node node = 0; node < graph.size(); ++node) {
    truths_.push_back(find_truth(node));
    powers_.push_back(find_power(node));
    first_inputs_.push_back(find_first_input(node));
  }
}

PrintedShapes::Power PrintedShapes::find_power(Node node) const {
  const NodeContents& x = graph_[node];
  if (x.operation != Operation::multiply || truths_[node]) return {node, 1};
  if (x.a == x.b) {
    const Power half = powers_[x.a];
    return 2 * half.exponent <= largest_power ? Power{half.base, 2 * half.exponent} : Power{x.a, 2};
  }
  for (const auto& [even, one] : {std::pair(x.a, x.b), std::pair(x.b, x.a)}) {
    const Power p = powers_[even];
    if (p.exponent % 2 == 0 && p.base == one && p.exponent < largest_power) return {one, p.exponent + 1};
  }
  return {node, 1};
}

bool PrintedShapes::find_truth(Node node) const {
  const NodeContents& x = graph_[node];
  switch (x.operation) {
    case Operation::less:
    case Operation::less_equal:
    case Operation::equal:
      return true;
    case Operation::subtract:
      return x.a == 1 && truths_[x.b];
    case Operation::multiply:
    case Operation::max:
      return (truths_[x.a] || truths_[x.b]) && stands_as_condition(x.a) && stands_as_condition(x.b);
    default:
      return false;
  }
}

Node PrintedShapes::find_first_input(Node node) const {
  const NodeContents& x = graph_[node];
  const int count = operand_count(x.operation);
  if (count == 0) return x.operation == Operation::input ? node : ~Node(0);
  Node first = first_inputs_[x.a];
  if (count > 1) first = std::min(first, first_inputs_[x.b]);
  if (count > 2) first = std::min(first, first_inputs_[x.c]);
  return first;
}

bool PrintedShapes::is_power_of_half(Node node) const {
  if (!graph_.is_constant(node)) return false;
  Real100 x = graph_.constant_value(node);
  for (int k = 0; k < 10; ++k)
    if (x = 2 * x; x == 1) return true;
  return false;
}

}  // namespace daelab
