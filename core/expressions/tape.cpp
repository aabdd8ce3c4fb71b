#include "core/expressions/tape.hpp"

#include <algorithm>

#include "core/expressions/graph.hpp"

namespace daelab {
namespace {

constexpr Slot unset = ~Slot(0);

class TapeMaker {
 public:
  TapeMaker(const Graph& graph, std::span<const Output> outputs)
      : graph_(graph), nodes_(nodes_of(graph, outputs)), slots_(graph.size(), unset) {
    place_inputs_and_constants();
    for (std::vector<Node>& sines : sines_by_level()) emit_sines(sines);
    for (const Output& output : outputs) {
      emit(output.expression.node());
      tape_.results.push_back({slots_[output.expression.node()], output.block, output.index});
    }
  }
  Tape take() { return std::move(tape_); }

 private:
  static bool is_sine(Operation operation) { return operation == Operation::sin || operation == Operation::cos; }
  // All that the outputs depend on, ascending.
  static std::vector<Node> nodes_of(const Graph& graph, std::span<const Output> outputs) {
    Expressions expressions;
    for (const Output& output : outputs) expressions.push_back(output.expression);
    return dependencies(graph, expressions);
  }

  void place_inputs_and_constants() {
    for (const Node node : nodes_) {
      if (graph_[node].operation != Operation::input) continue;
      const Input& input = graph_.input_of(node);
      tape_.inputs.push_back({input.block, input.index});
      slots_[node] = tape_.slots++;
    }
    for (const Node node : nodes_) {
      if (!graph_.is_constant(node)) continue;
      tape_.constants.push_back(graph_.constant_value(node));
      slots_[node] = tape_.slots++;
    }
  }

  // Sines and cosines that can be taken at once: those whose angles depend on no sine, on sines of those, and so on.
  std::vector<std::vector<Node>> sines_by_level() const {
    std::vector<std::vector<Node>> levels;
    std::vector<std::uint32_t> level(graph_.size(), 0);
    for (const Node node : nodes_) {
      const NodeContents& contents = graph_[node];
      const auto all = operands(contents);
      for (int k = 0; k < operand_count(contents.operation); ++k) level[node] = std::max(level[node], level[all[k]]);
      if (!is_sine(contents.operation)) continue;
      if (levels.size() <= level[node]) levels.resize(level[node] + 1);
      levels[level[node]++].push_back(node);
    }
    return levels;
  }

  void emit_sines(std::vector<Node>& sines) {
    std::ranges::stable_sort(sines, {}, [&](Node node) { return graph_[node].a; });
    for (const Node node : sines) emit(graph_[node].a);
    for (std::size_t next = 0; next < sines.size();) {
      std::array<Slot, 4> group;
      std::size_t lanes = 0;
      for (; next < sines.size(); ++next) {
        const NodeContents& sine = graph_[sines[next]];
        const Slot angle = slots_[sine.a];
        if (lanes == 0 || group[lanes - 1] != angle) {
          if (lanes == 4) break;
          group[lanes++] = angle;
        }
        slots_[sines[next]] = tape_.slots + static_cast<Slot>(lanes - 1) + (sine.operation == Operation::cos ? 4 : 0);
      }
      std::fill(group.begin() + static_cast<std::ptrdiff_t>(lanes), group.end(), group[lanes - 1]);
      tape_.instructions.push_back({Operation::sines_and_cosines, tape_.slots, static_cast<Slot>(tape_.angles.size())});
      tape_.angles.push_back(group);
      tape_.slots += 8;
    }
  }

  // Operands first; not recursive, sums of many terms are deep.
  void emit(Node root) {
    std::vector<Node> open{root};
    while (!open.empty()) {
      const Node node = open.back();
      if (slots_[node] != unset) {
        open.pop_back();
        continue;
      }
      const NodeContents& contents = graph_[node];
      const auto all = operands(contents);
      const int count = operand_count(contents.operation);
      bool ready = true;
      for (int k = count - 1; k >= 0; --k)
        if (slots_[all[k]] == unset) ready = false, open.push_back(all[k]);
      if (!ready) continue;
      open.pop_back();
      Instruction instruction{contents.operation, tape_.slots};
      if (count > 0) instruction.a = slots_[contents.a];
      if (count > 1) instruction.b = slots_[contents.b];
      if (count > 2) instruction.c = slots_[contents.c];
      slots_[node] = tape_.slots++;
      tape_.instructions.push_back(instruction);
    }
  }

  const Graph& graph_;
  std::vector<Node> nodes_;
  std::vector<Slot> slots_;  // of nodes
  Tape tape_;
};

}  // namespace

Tape make_tape(const Graph& graph, std::span<const Output> outputs) { return TapeMaker(graph, outputs).take(); }

}  // namespace daelab
