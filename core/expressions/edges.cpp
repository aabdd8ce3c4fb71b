#include "core/expressions/edges.hpp"

#include <algorithm>

namespace daelab {
namespace {

bool is_whole(const Real100& x) { return x == floor(x); }
bool is_even(const Real100& x) { return is_whole(x / 2); }

// 1/3 + 2/3 is 1.
Real100 without_round_off(const Real100& exponent) {
  const Real100 near = floor(2 * exponent + Real100("0.5")) / 2;
  return abs(exponent - near) < Real100("1e-90") ? near : exponent;
}

Expression either(const Expression& a, const Expression& b) {
  if (a.is_zero() || same(a, b)) return b;
  return b.is_zero() ? a : (Condition(a) || Condition(b)).truth();
}

// Operations whose slope is infinite somewhere though they are continuous there.
bool is_steep_somewhere(Operation operation) {
  return operation == Operation::sqrt || operation == Operation::power || operation == Operation::asin ||
         operation == Operation::acos;
}

}  // namespace

Expression PowerOf::slope() const {
  if (of_absolute) return Expression(exponent) * pow(abs(base), exponent - 1) * sign(base);
  return Expression(exponent) * pow(base, exponent - 1);
}

Edges::Edges(Graph& graph, const std::vector<Node>& nodes) : graph_(graph) {
  if (std::ranges::none_of(nodes, [&](Node node) { return is_steep_somewhere(graph[node].operation); })) return;
  for (const Node node : nodes) {
    if (const auto law = composed(graph[node])) laws_.emplace(node, *law);
    if (const Expression where = edge_of(node); !where.is_zero()) edges_.emplace(node, where);
  }
}

PowerOf Edges::law_of(Node node) const {
  const auto known = laws_.find(node);
  return known == laws_.end() ? PowerOf{Expression::of(node), 1} : known->second;
}

std::optional<PowerOf> Edges::composed(const NodeContents& x) const {
  if (x.operation == Operation::multiply) return product_law(x);
  if (x.operation != Operation::sqrt && x.operation != Operation::power) return std::nullopt;
  PowerOf law = law_of(x.a);
  // The power of an even one, as of a square, takes no account of the sign.
  law.of_absolute = law.of_absolute || is_even(law.exponent);
  law.exponent *= x.operation == Operation::sqrt ? Real100("0.5") : graph_.constant_value(x.b);
  law.exponent = without_round_off(law.exponent);
  return law;
}

std::optional<PowerOf> Edges::product_law(const NodeContents& x) const {
  const auto base_of = [&](Node node) {
    const auto known = laws_.find(node);
    return known == laws_.end() ? node : known->second.base.node();
  };
  if (base_of(x.a) != base_of(x.b)) return std::nullopt;
  const PowerOf a = law_of(x.a), b = law_of(x.b);
  const auto ignores_sign = [](const PowerOf& law) { return law.of_absolute || is_even(law.exponent); };
  if (a.of_absolute != b.of_absolute && !(ignores_sign(a) && ignores_sign(b))) return std::nullopt;
  return PowerOf{a.base, without_round_off(a.exponent + b.exponent), a.of_absolute || b.of_absolute};
}

const PowerOf* Edges::power_law(Node node) const {
  const auto known = laws_.find(node);
  if (known == laws_.end()) return nullptr;
  // Products of whole powers have their slopes from the product rule, sqrt(x) and x^p their own.
  const auto is_fractional = [&](Node operand) {
    const auto law = laws_.find(operand);
    return law != laws_.end() && (law->second.of_absolute || graph_[operand].operation != Operation::multiply ||
                                  !is_whole(law->second.exponent));
  };
  const NodeContents& x = graph_[node];
  const bool by_rule =
      x.operation == Operation::multiply ? is_fractional(x.a) || is_fractional(x.b) : laws_.contains(x.a);
  return by_rule ? &known->second : nullptr;
}

Expression Edges::hides(const Expression& a, const Expression& b) const {
  const Expression steep = edge(b);
  if (steep.is_zero() || graph_.is_constant(a.node())) return {};
  const Expression here = (equal(a, 0) && Condition(steep)).truth(), beside = edge(a);
  return beside.is_zero() ? here : (Condition(here) && !Condition(beside)).truth();
}

Expression Edges::edge(const Expression& x) const {
  const auto known = edges_.find(x.node());
  return known == edges_.end() ? Expression() : known->second;
}

// Condition for an infinite slope of the operation itself.
Expression Edges::own_edge(Node node) const {
  const NodeContents& x = graph_[node];
  const Expression a = Expression::of(x.a);
  if (x.operation == Operation::asin || x.operation == Operation::acos) return equal(a * a, 1).truth();
  if (x.operation != Operation::sqrt && x.operation != Operation::power) return {};
  const Real100& exponent = laws_.at(node).exponent;
  return 0 < exponent && exponent < 1 ? equal(laws_.at(node).base, 0).truth() : Expression();
}

Expression Edges::edge_of(Node node) const {
  if (const PowerOf* law = power_law(node); law != nullptr) {
    const bool steep = 0 < law->exponent && law->exponent < 1;
    return either(edge(law->base), steep ? equal(law->base, 0).truth() : Expression());
  }
  const NodeContents x = graph_[node];
  const auto all = operands(x);
  if (x.operation == Operation::select) {
    const Expression if_true = edge(Expression::of(x.b)), if_false = edge(Expression::of(x.c));
    return select(Condition(Expression::of(x.a)), if_true, if_false);
  }
  Expression where = own_edge(node);
  for (int k = 0; k < operand_count(x.operation); ++k) where = either(where, edge(Expression::of(all[k])));
  return where;
}

}  // namespace daelab
