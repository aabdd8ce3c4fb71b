// Formulas: read, differentiated, printed as text and LaTeX, and read again.
#include <stdexcept>

#include "core/expressions/derivative.hpp"
#include "core/expressions/graph.hpp"
#include "core/expressions/parse.hpp"
#include "core/expressions/text.hpp"
#include "fuzz/target.hpp"

namespace daelab::fuzzing {
namespace {

void read_as_expression(const std::string& input) {
  Graph graph;
  const RecordingScope scope(graph);
  const Expression x = graph.input(1, 0, "x"), y = graph.input(1, 1, "y"), v = graph.input(2, 0, "x'"),
                   t = graph.input(0, 0, "t");
  const Names names{{"x", x}, {"y", y}, {"x'", v}, {"t", t}};
  names_in(input);
  const Expression f = parse_equation(input, names);
  const Expressions inputs{x, y, v, t}, derivatives = gradient(f, inputs);
  print(graph, derivatives, {.notation = Notation::latex});
  const PrintedExpressions printed = print(graph, {&f, 1});
  Names all = names;
  for (const auto& [name, text] : printed.definitions) all.insert_or_assign(name, parse_expression(text, all));
  if (!same(parse_expression(printed.expressions.front(), all), f))
    throw std::logic_error("what is printed is read as another expression: " + printed.expressions.front());
}

const TargetEntry entry("expression", read_as_expression);

}  // namespace
}  // namespace daelab::fuzzing
