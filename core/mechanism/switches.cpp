#include "core/mechanism/switches.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "core/expressions/derivative.hpp"
#include "core/expressions/enclosing_program.hpp"
#include "core/expressions/operations.hpp"

namespace daelab {
namespace {

constexpr int time_block = static_cast<int>(InputBlock::time);

void append(Expressions& to, const Expressions& more) { to.insert(to.end(), more.begin(), more.end()); }

Expressions equations_of(const Recording& r) {
  Expressions all = r.mass.ingredients();
  append(all, r.rates_mass.ingredients());
  for (const Expressions* row : {&r.force, &r.constraints, &r.nonholonomic_constraints, &r.rates}) append(all, *row);
  for (const auto* energy : {&r.kinetic_energy, &r.potential_energy})
    if (*energy) all.push_back(**energy);
  return all;
}

// 1 or 0: what conditions are joined by is no kink of its own.
bool is_truth(const Graph& graph, Node node) {
  const NodeContents& x = graph[node];
  switch (x.operation) {
    case Operation::less:
    case Operation::less_equal:
    case Operation::equal:
      return true;
    case Operation::multiply:
    case Operation::max:
      return is_truth(graph, x.a) && is_truth(graph, x.b);
    case Operation::subtract:
      return x.a == 1 && is_truth(graph, x.b);
    default:
      return node < 2;
  }
}

bool is_switch(const Graph& graph, Node node) {
  const Operation operation = graph[node].operation;
  if (operation == Operation::min || operation == Operation::max) return !is_truth(graph, node);
  return operation == Operation::abs || is_piecewise_constant(operation);
}

// Zero where the value of a switch changes its form.
Expression switch_of(const Graph& graph, Node node) {
  const NodeContents& x = graph[node];
  const Expression a = Expression::of(x.a), b = Expression::of(x.b);
  switch (x.operation) {
    case Operation::abs:
    case Operation::sign:
      return a;
    case Operation::floor:  // at whole numbers
      return sin(Expression(pi<Real100>()) * a);
    default:
      return a - b;
  }
}

// Tells of each node whether it depends on time, and on that alone by operations without switches.
struct Timing {
  bool moves = false, smoothly = true;
};

Expressions drives_of(const Graph& graph, const Expressions& equations) {
  std::vector<Timing> timing(graph.size());
  std::vector<bool> drives(graph.size(), false);
  const std::vector<Node> nodes = dependencies(graph, equations);
  for (const Node node : nodes) {
    Timing& own = timing[node];
    const Operation operation = graph[node].operation;
    const auto all = operands(graph[node]);
    const int count = operand_count(operation);
    if (operation == Operation::input) own.moves = own.smoothly = graph.input_of(node).block == time_block;
    const bool switches = is_switch(graph, node);
    if (switches || operation == Operation::select) own.smoothly = false;
    for (int k = 0; k < count; ++k) own.moves |= timing[all[k]].moves, own.smoothly &= timing[all[k]].smoothly;
    // Conditions are watched for themselves.
    for (int k = operation == Operation::select ? 1 : 0; !own.smoothly && !switches && k < count; ++k)
      drives[all[k]] = true;
  }
  for (const Expression& equation : equations) drives[equation.node()] = true;
  Expressions found;
  for (const Node node : nodes)
    if (drives[node] && timing[node].moves && timing[node].smoothly && operand_count(graph[node].operation) > 0)
      found.push_back(Expression::of(node));
  return found;
}

}  // namespace

Drive::Drive(const Graph& from, const Expression& function) {
  const RecordingScope scope(graph);
  const Expression t = graph.input(time_block, 0, "t");
  std::unordered_map<Node, Node> copies;
  for (const Node node : dependencies(from, std::array{function})) {
    const NodeContents& x = from[node];
    const auto copy = [&](Node operand) { return copies.at(operand); };
    const int count = operand_count(x.operation);
    copies[node] = x.operation == Operation::input      ? t.node()
                   : x.operation == Operation::constant ? graph.constant(from.constant_value(node))
                                                        : graph.make(x.operation, copy(x.a), count > 1 ? copy(x.b) : 0);
  }
  value = Expression::of(copies.at(function.node()));
  slope = gradient(value, std::array{t})[0];
}

bool is_of_motion(const Recording& r, const Expression& x) {
  const Graph& graph = r.graph();
  const int differential = static_cast<int>(r.s.size()) - r.algebraic_states;
  return std::ranges::all_of(dependencies(graph, std::array{x}), [&](Node node) {
    if (graph[node].operation != Operation::input) return true;
    const Input& input = graph.input_of(node);
    const auto block = static_cast<InputBlock>(input.block);
    return block <= InputBlock::held && (block != InputBlock::s || input.index < differential);
  });
}

Switches switches_of(const Recording& r) {
  const Graph& graph = r.graph();
  Switches found;
  for (const Node node : dependencies(graph, equations_of(r))) {
    if (!is_switch(graph, node) || !depends_on_block(graph, Expression::of(node), time_block)) continue;
    const Expression x = switch_of(graph, node);
    if (!depends_on_others(graph, x, time_block))
      found.of_time.push_back(x);
    else if (is_of_motion(r, x))
      found.of_motion.push_back(x);
    else
      found.others = true;
  }
  found.drives = drives_of(graph, equations_of(r));
  return found;
}

}  // namespace daelab
