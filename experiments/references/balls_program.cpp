#include "experiments/references/balls_program.hpp"

#include <fmt/format.h>

#include "core/base/input_error.hpp"
#include "core/expressions/constant_text.hpp"
#include "core/expressions/tape.hpp"
#include "core/expressions/text.hpp"

namespace daelab {
namespace {

bool is_small_whole_number(const Real100& x) { return abs(x) <= 1000 && floor(x) == x; }

}  // namespace

Expression BallGraph::constant(const Real100& value) {
  if (is_small_whole_number(value)) return Expression(static_cast<int>(value));
  const std::string text = constant_text(value);
  const auto [place, is_new] = constants_.try_emplace(text);
  if (is_new) {
    place->second = input(BallBlock::constant, static_cast<int>(texts_.size()), text);
    texts_.push_back(text);
    values_.push_back(static_cast<double>(value));
  }
  return place->second;
}

// Functions by exponentials, sines and cosines where the module has no series of them.
Expression BallGraph::made(const NodeContents& node, const Expression& a, const Expression& b, const Expression& c) {
  switch (node.operation) {
    case Operation::power:
      return exp(b * log(a));
    case Operation::tan:
      return sin(a) / cos(a);
    case Operation::sinh:
      return (exp(a) - exp(-a)) / 2;
    case Operation::cosh:
      return (exp(a) + exp(-a)) / 2;
    case Operation::tanh:
      return 1 - Expression(2) / (exp(2 * a) + 1);
    case Operation::asin:
    case Operation::acos:
    case Operation::atan:
    case Operation::atan2:
      throw InputError("", fmt::format("enclosures do not know the function {} in equations of motion",
                                       function_name(node.operation)));
    default:
      return Expression::of(graph_.make(node.operation, a.node(), b.node(), c.node()));
  }
}

Expressions BallGraph::translated(const Graph& from, const Expressions& list) {
  for (const Node node : dependencies(from, list)) {
    if (known_.contains(node)) continue;
    const NodeContents& contents = from[node];
    Expression result;
    if (contents.operation == Operation::constant) {
      result = constant(from.constant_value(node));
    } else if (contents.operation == Operation::input) {
      const Input& input = from.input_of(node);
      const auto place = inputs_.find({input.block, input.index});
      if (place == inputs_.end()) throw InputError("", fmt::format("the equations hold '{}'", input.name));
      result = place->second;
    } else {
      const int count = operand_count(contents.operation);
      const auto operand = [&](int i, Node of) { return i < count ? known_.at(of) : Expression(); };
      result = made(contents, operand(0, contents.a), operand(1, contents.b), operand(2, contents.c));
    }
    known_[node] = result;
  }
  Expressions results;
  for (const Expression& x : list) results.push_back(x.node() <= 1 ? x : known_.at(x.node()));
  return results;
}

EnclosureProgram BallGraph::program(const Expressions& results, std::vector<EnclosureSlot>& slots) {
  std::vector<Output> outputs;
  for (std::size_t i = 0; i < results.size(); ++i) outputs.push_back({results[i], 0, static_cast<int>(i)});
  const Tape tape = make_tape(graph_, outputs);
  EnclosureProgram program;
  program.slots = tape.slots;
  for (std::size_t i = 0; i < tape.inputs.size(); ++i) {
    const auto slot = static_cast<EnclosureSlot>(i);
    const auto [block, index] = tape.inputs[i];
    if (static_cast<BallBlock>(block) == BallBlock::constant)
      program.constants.emplace_back(slot, texts_[static_cast<std::size_t>(index)]);
    else
      program.inputs.push_back({slot, static_cast<EnclosureProgram::Block>(block), index});
  }
  for (std::size_t i = 0; i < tape.constants.size(); ++i)
    program.constants.emplace_back(tape.first_constant() + static_cast<EnclosureSlot>(i),
                                   constant_text(tape.constants[i]));
  for (const Instruction& x : tape.instructions) {
    if (x.operation == Operation::sines_and_cosines) {
      const auto& angles = tape.angles[x.a];
      for (Slot lane = 0; lane < 4 && (lane == 0 || angles[lane] != angles[lane - 1]); ++lane)
        program.instructions.push_back({x.operation, x.result + lane, angles[lane], x.result + 4 + lane, angles[lane]});
      continue;
    }
    const int count = operand_count(x.operation);
    program.instructions.push_back({x.operation, x.result, x.a, count > 1 ? x.b : x.a, count > 2 ? x.c : x.a});
  }
  slots.assign(results.size(), 0);
  for (const Tape::Result& result : tape.results) slots[static_cast<std::size_t>(result.index)] = result.slot;
  return program;
}

}  // namespace daelab
