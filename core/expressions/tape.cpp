#include "core/expressions/tape.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

#include "core/expressions/graph.hpp"
#include "core/expressions/next_uses.hpp"

namespace daelab {
namespace {

constexpr Slot unset = ~Slot(0);

class TapeMaker {
 public:
  TapeMaker(const Graph& graph, std::span<const Output> outputs)
      : graph_(graph), nodes_(nodes_of(graph, outputs)), slots_(graph.size(), unset) {
    place_inputs_and_constants();
    for (std::vector<Node>& sines : sines_by_level()) emit_sines(sines);
    std::vector<Position> begins;
    for (const Output& output : outputs) {
      begins.push_back(static_cast<Position>(tape_.instructions.size()));
      emit(output.expression.node());
      tape_.results.push_back({slots_[output.expression.node()], output.block, output.index});
    }
    begins.push_back(static_cast<Position>(tape_.instructions.size()));
    bring_results_forward(begins);
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

  // What only one result needs follows at once what it is made of, so that this need not be kept or fetched again: in
  // chains accelerations follow their multipliers link by link, in 0.9 of the time. Only where it is little, and not in
  // short tapes, which keep all they need in the cache and end sooner with the results last (seven-body: by 6 %).
  // begins: of results, in order.
  void bring_results_forward(const std::vector<Position>& begins) {
    constexpr Position little = 16, short_tape = 1000;
    const std::vector<Instruction>& old = tape_.instructions;
    if (old.size() < short_tape) return;
    std::vector<Position> maker(tape_.slots), after(old.size());
    std::iota(after.begin(), after.end(), 0);
    for (const Position i : after)
      for (Slot k = 0; k < result_count(old[i].operation); ++k) maker[old[i].result + k] = i;
    for (std::size_t r = 0; r + 1 < begins.size(); ++r) {
      const Position begin = begins[r], end = begins[r + 1];
      if (end - begin > little) continue;
      std::optional<Position> last;
      for (Position i = begin; i < end; ++i)
        for (const Slot slot : Operands(tape_, old[i]))
          if (slot >= tape_.first_result() && maker[slot] < begin)
            last = std::max(last.value_or(0), after[maker[slot]]);
      // Behind a call, too, what it leaves would be waited for, and be in the way of the next call.
      if (last && result_count(old[*last].operation) == 1) std::fill(after.begin() + begin, after.begin() + end, *last);
    }
    put_in_order(after);
  }
  // Each instruction behind the one it is to follow: sorted by counting.
  void put_in_order(const std::vector<Position>& after) {
    std::vector<Position> place(after.size() + 1, 0), order(after.size());
    for (const Position i : after) ++place[i + 1];
    std::partial_sum(place.begin(), place.end(), place.begin());
    for (Position i = 0; i < after.size(); ++i) order[place[after[i]]++] = i;
    std::vector<Slot> now(tape_.slots);
    std::iota(now.begin(), now.end(), 0);
    Slot next = tape_.first_result();
    std::vector<Instruction> instructions;
    instructions.reserve(order.size());
    for (const Position i : order) {
      Instruction x = tape_.instructions[i];
      for (Slot k = 0; k < result_count(x.operation); ++k) now[x.result + k] = next++;
      x.result = now[x.result];
      if (x.operation == Operation::sines_and_cosines)
        for (Slot& angle : tape_.angles[x.a]) angle = now[angle];
      else
        x.a = now[x.a], x.b = now[x.b], x.c = now[x.c];
      instructions.push_back(x);
    }
    tape_.instructions = std::move(instructions);
    for (Tape::Result& result : tape_.results) result.slot = now[result.slot];
  }

  const Graph& graph_;
  std::vector<Node> nodes_;
  std::vector<Slot> slots_;  // of nodes
  Tape tape_;
};

}  // namespace

std::u32string structure(const Tape& tape) {
  std::u32string text;
  const auto add = [&](auto... numbers) { (text.push_back(static_cast<char32_t>(numbers)), ...); };
  add(tape.inputs.size(), tape.constants.size(), tape.instructions.size(), tape.angles.size(), tape.results.size());
  for (const Tape::Place& x : tape.inputs) add(x.block, x.index);
  for (const Instruction& x : tape.instructions) add(x.operation, x.result, x.a, x.b, x.c);
  for (const std::array<Slot, 4>& x : tape.angles) add(x[0], x[1], x[2], x[3]);
  for (const Tape::Result& x : tape.results) add(x.slot, x.block, x.index);
  return text;
}

Tape make_tape(const Graph& graph, std::span<const Output> outputs) { return TapeMaker(graph, outputs).take(); }

}  // namespace daelab
