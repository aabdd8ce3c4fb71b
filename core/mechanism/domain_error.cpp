#include "core/mechanism/domain_error.hpp"

#include <fmt/format.h>

#include "core/base/scalar.hpp"
#include "core/expressions/operations.hpp"
#include "core/expressions/text.hpp"

namespace daelab {
namespace {

constexpr std::size_t longest_text = 120;

template <class T>
bool is_finite_number(const T& x) {
  using std::isfinite;
  return isfinite(x);
}

// Among all nodes up to the last one wanted.
template <class T>
std::vector<T> values_of(const Graph& graph, Node last, const T* const* inputs) {
  std::vector<T> values(last + 1);
  for (Node node = 0; node <= last; ++node) {
    const NodeContents& contents = graph[node];
    if (contents.operation == Operation::constant) {
      values[node] = static_cast<T>(graph.constant_value(node));
    } else if (contents.operation == Operation::input) {
      const Input& input = graph.input_of(node);
      const T* block = inputs[input.block];
      values[node] = block == nullptr ? T(0) : block[input.index];
    } else {
      values[node] = apply(contents.operation, values[contents.a], values[contents.b], values[contents.c]);
    }
  }
  return values;
}

// From an expression that is not finite down to an operation whose operands are.
template <class T>
Node origin(const Graph& graph, const std::vector<T>& values, Node node) {
  while (true) {
    const auto all = operands(graph[node]);
    const int count = operand_count(graph[node].operation);
    Node next = node;
    for (int k = 0; k < count && next == node; ++k)
      if (!is_finite_number(values[all[k]])) next = all[k];
    if (next == node) return node;
    node = next;
  }
}

std::string shortened(std::string text) {
  if (text.size() > longest_text) text = text.substr(0, longest_text) + "...";
  return text;
}

}  // namespace

template <class T>
DomainError find_domain_error(const Graph& graph, std::span<const Expression> expressions, const T* const* inputs) {
  Node last = 0;
  for (const Expression& x : expressions) last = std::max(last, x.node());
  const std::vector<T> values = values_of(graph, last, inputs);
  for (std::size_t i = 0; i < expressions.size(); ++i) {
    if (is_finite_number(values[expressions[i].node()])) continue;
    const Node node = origin(graph, values, expressions[i].node());
    const auto all = operands(graph[node]);
    std::string of;
    for (int k = 0; k < operand_count(graph[node].operation); ++k)
      of += fmt::format("{}{:.6g}", k == 0 ? ", of " : " and ", static_cast<double>(values[all[k]]));
    return {static_cast<int>(i), shortened(text_of(graph, Expression::of(node), {.digits = 6})) + of};
  }
  return {};
}

#define DAELAB_INSTANTIATE(T) \
  template DomainError find_domain_error<T>(const Graph&, std::span<const Expression>, const T* const*);
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
