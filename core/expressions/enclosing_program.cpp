#include "core/expressions/enclosing_program.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace daelab {
namespace {

Enclosure enclosure_of(const Real100& exact) {
  const auto near = static_cast<double>(exact);
  const Bounds value{near, near}, none{0, 0};
  return {Real100(near) == exact ? value : value + Bounds{-1e-300, 1e-300}, none};
}

// Tells whether it depends on such an input.
bool any_input(const Graph& graph, const Expression& x, const auto& is_wanted) {
  return std::ranges::any_of(dependencies(graph, std::array{x}), [&](Node node) {
    return graph[node].operation == Operation::input && is_wanted(graph.input_of(node).block);
  });
}

}  // namespace

EnclosingProgram::EnclosingProgram(const Graph& graph, const Expression& function) {
  std::unordered_map<Node, std::size_t> places;
  for (const Node node : dependencies(graph, std::array{function})) {
    const NodeContents& contents = graph[node];
    Step step{contents.operation, 0, 0, 0, {}};
    if (contents.operation == Operation::constant) {
      step.result = enclosure_of(graph.constant_value(node));
    } else if (contents.operation == Operation::input) {
      inputs_.push_back({graph.input_of(node).block, graph.input_of(node).index, steps_.size()});
    } else {
      const std::array<std::size_t*, 3> to{&step.a, &step.b, &step.c};
      for (int k = 0; k < operand_count(contents.operation); ++k) *to[k] = places.at(operands(contents)[k]);
    }
    places.emplace(node, steps_.size());
    steps_.push_back(step);
  }
}

const Enclosure& EnclosingProgram::run() {
  for (Step& step : steps_)
    if (operand_count(step.operation) > 0)
      step.result = enclose(step.operation, steps_[step.a].result, steps_[step.b].result, steps_[step.c].result);
  return steps_.back().result;
}

bool depends_on_block(const Graph& graph, const Expression& x, int block) {
  return any_input(graph, x, [block](int other) { return other == block; });
}
bool depends_on_others(const Graph& graph, const Expression& x, int block) {
  return any_input(graph, x, [block](int other) { return other != block; });
}

}  // namespace daelab
