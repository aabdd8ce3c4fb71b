#include "core/expressions/tape.hpp"

#include <algorithm>

#include "core/expressions/graph.hpp"

namespace daelab {
namespace {

constexpr Slot unset = ~Slot(0);

class TapeMaker {
 public:
  TapeMaker(const Graph& graph, std::span<const Output> outputs) : graph_(graph), slots_(graph.size(), unset) {
    find_nodes(outputs);
    place_inputs_and_constants();
    for (const std::vector<Node>& angles : angles_by_level()) emit_sines(angles);
    for (const Output& output : outputs) {
      emit(output.expression.node());
      tape_.results.push_back({slots_[output.expression.node()], output.block, output.index});
    }
  }
  Tape take() { return std::move(tape_); }

 private:
  static bool is_sine(Operation operation) { return operation == Operation::sin || operation == Operation::cos; }
  static std::array<Node, 3> operands(const NodeContents& contents) { return {contents.a, contents.b, contents.c}; }

  // Those the outputs depend on, ascending.
  void find_nodes(std::span<const Output> outputs) {
    std::vector<bool> known(graph_.size(), false);
    std::vector<Node> open;
    const auto visit = [&](Node node) {
      if (!known[node]) known[node] = true, open.push_back(node);
    };
    for (const Output& output : outputs) visit(output.expression.node());
    while (!open.empty()) {
      const Node node = open.back();
      open.pop_back();
      nodes_.push_back(node);
      const auto all = operands(graph_[node]);
      for (int k = 0; k < operand_count(graph_[node].operation); ++k) visit(all[k]);
    }
    std::ranges::sort(nodes_);
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

  // Angles whose sines and cosines can be taken at once: those that depend on no sine, on sines of those, and so on.
  std::vector<std::vector<Node>> angles_by_level() const {
    std::vector<std::vector<Node>> levels;
    std::vector<std::uint32_t> level(graph_.size(), 0);
    for (const Node node : nodes_) {
      const NodeContents& contents = graph_[node];
      const auto all = operands(contents);
      for (int k = 0; k < operand_count(contents.operation); ++k) level[node] = std::max(level[node], level[all[k]]);
      if (!is_sine(contents.operation)) continue;
      if (levels.size() <= level[node]) levels.resize(level[node] + 1);
      levels[level[node]].push_back(contents.a);
      ++level[node];
    }
    for (std::vector<Node>& angles : levels) {
      std::ranges::sort(angles);
      angles.erase(std::unique(angles.begin(), angles.end()), angles.end());
    }
    return levels;
  }

  void emit_sines(const std::vector<Node>& angles) {
    for (const Node angle : angles) emit(angle);
    for (std::size_t first = 0; first < angles.size(); first += 4) {
      std::array<Slot, 4> group;
      const std::size_t count = std::min<std::size_t>(4, angles.size() - first);
      for (std::size_t lane = 0; lane < 4; ++lane) group[lane] = slots_[angles[first + std::min(lane, count - 1)]];
      for (std::size_t lane = 0; lane < count; ++lane)
        sines_.push_back({angles[first + lane], tape_.slots + static_cast<Slot>(lane)});
      tape_.instructions.push_back(
          {Operation::sines_and_cosines, tape_.slots, static_cast<Slot>(tape_.angles.size())});
      tape_.angles.push_back(group);
      tape_.slots += 8;
    }
    place_sines();
  }
  void place_sines() {
    std::ranges::sort(sines_, {}, &Sine::angle);
    for (const Node node : nodes_) {
      if (!is_sine(graph_[node].operation) || slots_[node] != unset) continue;
      const auto at = std::ranges::lower_bound(sines_, graph_[node].a, {}, &Sine::angle);
      if (at == sines_.end() || at->angle != graph_[node].a) continue;
      slots_[node] = at->slot + (graph_[node].operation == Operation::cos ? 4 : 0);
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

  struct Sine {
    Node angle;
    Slot slot;
  };
  const Graph& graph_;
  std::vector<Node> nodes_;
  std::vector<Slot> slots_;  // of nodes
  std::vector<Sine> sines_;
  Tape tape_;
};

}  // namespace

Tape make_tape(const Graph& graph, std::span<const Output> outputs) { return TapeMaker(graph, outputs).take(); }

}  // namespace daelab
