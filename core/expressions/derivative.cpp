#include "core/expressions/derivative.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>

#include "core/expressions/edges.hpp"
#include "core/expressions/graph.hpp"

namespace daelab {
namespace {

constexpr Node none = ~Node(0);

// The operation of a node and its operands, as expressions.
struct Term {
  Operation operation;
  Expression y, a, b, c;

  Term(const Graph& graph, Node node)
      : operation(graph[node].operation),
        y(Expression::of(node)),
        a(Expression::of(graph[node].a)),
        b(Expression::of(graph[node].b)),
        c(Expression::of(graph[node].c)) {}

  // dy/da and, where there are two operands, dy/db.
  Expression slope_a() const {
    switch (operation) {
      case Operation::add:
      case Operation::subtract:
        return 1;
      case Operation::multiply:
        return b;
      case Operation::divide:
        return 1 / b;
      case Operation::negate:
        return -1;
      case Operation::power:
        return b * pow(a, b - 1);
      case Operation::sqrt:
        return 1 / (2 * y);
      case Operation::exp:
        return y;
      case Operation::log:
        return 1 / a;
      case Operation::sin:
        return cos(a);
      case Operation::cos:
        return -sin(a);
      case Operation::tan:
        return 1 + y * y;
      case Operation::asin:
        return 1 / sqrt(1 - a * a);
      case Operation::acos:
        return -(1 / sqrt(1 - a * a));
      case Operation::atan:
        return 1 / (1 + a * a);
      case Operation::atan2:
        return b * (1 / (a * a + b * b));
      case Operation::sinh:
        return cosh(a);
      case Operation::cosh:
        return sinh(a);
      case Operation::tanh:
        return 1 - y * y;
      case Operation::abs:
        return sign(a);
      default:
        return 0;
    }
  }
  Expression slope_b() const {
    switch (operation) {
      case Operation::add:
        return 1;
      case Operation::subtract:
        return -1;
      case Operation::multiply:
        return a;
      case Operation::divide:
        return -(y * (1 / b));
      case Operation::atan2:
        return -(a * (1 / (a * a + b * b)));
      default:
        return 0;
    }
  }
};

// Operations that choose one of two values. What is not chosen may have neither a value nor a slope, and 0 times
// infinity is none: its derivatives are chosen against, not multiplied by 0.
struct Choice {
  bool chooses = true;
  Condition condition{Expression()};
  Expression if_true, if_false;

  explicit Choice(const Term& term) {
    switch (term.operation) {
      case Operation::select:
        condition = Condition(term.a), if_true = term.b, if_false = term.c;
        break;
      case Operation::min:
        condition = term.b < term.a, if_true = term.b, if_false = term.a;
        break;
      case Operation::max:
        condition = term.a < term.b, if_true = term.b, if_false = term.a;
        break;
      default:
        chooses = false;
    }
  }
};

// Derivatives of one node by the columns they are not zero in, ascending.
struct Slope {
  std::uint32_t column;
  Expression value;
};
using Slopes = std::vector<Slope>;

// combine(x, y) over the columns of both; what is in one of them alone is combined with 0.
template <class Combine>
Slopes merged(const Slopes& x, const Slopes& y, const Combine& combine) {
  Slopes result;
  const auto add = [&](std::uint32_t column, const Expression& value) {
    if (!value.is_zero()) result.push_back({column, value});
  };
  auto i = x.begin(), j = y.begin();
  while (i != x.end() || j != y.end()) {
    if (j == y.end() || (i != x.end() && i->column < j->column)) {
      add(i->column, combine(i->value, Expression()));
      ++i;
    } else if (i == x.end() || j->column < i->column) {
      add(j->column, combine(Expression(), j->value));
      ++j;
    } else {
      add(i->column, combine(i->value, j->value));
      ++i, ++j;
    }
  }
  return result;
}

// 0 times an infinite slope, where that does not count.
Expression unless(const Expression& hidden, const Expression& term) {
  return hidden.is_zero() ? term : select(Condition(hidden), 0, term);
}

// Places at which terms of the product rule, or of that of quotients, do not count.
struct HiddenTerms {
  Expression of_a, of_b;

  HiddenTerms(const Term& term, const Edges& edges) {
    if (term.operation == Operation::multiply) of_a = edges.hides(term.b, term.a);
    if (term.operation == Operation::multiply || term.operation == Operation::divide)
      of_b = edges.hides(term.a, term.b);
  }
};

// slopes(x): those of an operand, or of the base of a power.
template <class SlopesOf>
Slopes combined(const Term& term, int count, const Edges& edges, const SlopesOf& slopes) {
  static const Slopes nothing;
  if (const PowerOf* law = edges.power_law(term.y.node()); law != nullptr) {
    const Slopes& base = slopes(law->base);
    if (base.empty()) return {};
    const Expression slope = law->slope();
    return merged(base, nothing, [&](const Expression& x, const Expression&) { return slope * x; });
  }
  if (const Choice choice(term); choice.chooses)
    return merged(slopes(choice.if_true), slopes(choice.if_false),
                  [&](const Expression& x, const Expression& y) { return select(choice.condition, x, y); });
  const Slopes &a = slopes(term.a), &b = count > 1 ? slopes(term.b) : nothing;
  if (a.empty() && b.empty()) return {};
  const Expression by_a = a.empty() ? Expression() : term.slope_a(), by_b = b.empty() ? Expression() : term.slope_b();
  const HiddenTerms hidden(term, edges);
  return merged(a, b, [&](const Expression& x, const Expression& y) {
    return unless(hidden.of_a, by_a * x) + unless(hidden.of_b, by_b * y);
  });
}

// The derivatives of f from those of the inputs.
std::vector<Slopes> accumulate(std::span<const Expression> f, std::span<const Expression> x,
                               const std::vector<Slopes>& slopes_of_x) {
  Graph& graph = Graph::current();
  const std::vector<Node> nodes = dependencies(graph, f);
  std::vector<Node> place(graph.size(), none);  // in `nodes`
  for (Node i = 0; i < nodes.size(); ++i) place[nodes[i]] = i;
  const Edges edges(graph, nodes);
  std::vector<Slopes> all(nodes.size());
  for (std::size_t j = 0; j < x.size(); ++j)
    if (const Node at = x[j].node() < place.size() ? place[x[j].node()] : none; at != none) all[at] = slopes_of_x[j];
  for (Node i = 0; i < nodes.size(); ++i) {
    const int count = operand_count(graph[nodes[i]].operation);
    if (count == 0) continue;
    all[i] = combined(Term(graph, nodes[i]), count, edges,
                      [&](const Expression& operand) -> const Slopes& { return all[place[operand.node()]]; });
  }
  std::vector<Slopes> result;
  for (const Expression& y : f) result.push_back(all[place[y.node()]]);
  return result;
}

}  // namespace

Expressions along(std::span<const Expression> f, std::span<const Expression> x, std::span<const Expression> dx) {
  std::vector<Slopes> seeds(x.size());
  for (std::size_t j = 0; j < x.size(); ++j)
    if (!dx[j].is_zero()) seeds[j] = {{0, dx[j]}};
  Expressions result;
  for (const Slopes& slopes : accumulate(f, x, seeds))
    result.push_back(slopes.empty() ? Expression() : slopes[0].value);
  return result;
}

namespace {

// Derivative of f by a node, and whether the choices on the way from f take the node into account: anywhere else the
// adjoint is 0, but slopes need not be finite.
struct Adjoint {
  Expression value;
  Expression counts;  // 1 or 0

  void add(const Expression& share, const Expression& share_counts) {
    if (share.is_zero()) return;
    value += share;
    counts = same(counts, 1) || same(share_counts, 1) ? 1 : counts.is_zero() ? share_counts : max(counts, share_counts);
  }
};

}  // namespace

Expressions gradient(const Expression& f, std::span<const Expression> x) {
  Graph& graph = Graph::current();
  const std::vector<Node> nodes = dependencies(graph, {&f, 1});
  const Edges edges(graph, nodes);
  std::vector<Adjoint> adjoints(graph.size());
  adjoints[f.node()] = {1, 1};
  for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) {
    const Expression adjoint = adjoints[*node].value, counts = adjoints[*node].counts;
    const int count = operand_count(graph[*node].operation);
    if (count == 0 || adjoint.is_zero()) continue;
    const Term term(graph, *node);
    if (const Choice choice(term); choice.chooses) {
      const Condition here(counts), &condition = choice.condition;
      adjoints[choice.if_true.node()].add(select(condition, adjoint, 0), (here && condition).truth());
      adjoints[choice.if_false.node()].add(select(condition, 0, adjoint), (here && !condition).truth());
      continue;
    }
    const auto share = [&](const Expression& slope) { return select(Condition(counts), adjoint * slope, 0); };
    if (const PowerOf* law = edges.power_law(*node); law != nullptr) {
      adjoints[law->base.node()].add(share(law->slope()), counts);
      continue;
    }
    const HiddenTerms hidden(term, edges);
    const auto counts_unless = [&](const Expression& here) {
      return here.is_zero() ? counts : (Condition(counts) && !Condition(here)).truth();
    };
    adjoints[term.a.node()].add(share(term.slope_a()), counts_unless(hidden.of_a));
    if (count > 1) adjoints[term.b.node()].add(share(term.slope_b()), counts_unless(hidden.of_b));
  }
  Expressions result;
  for (const Expression& input : x)
    result.push_back(input.node() < adjoints.size() ? adjoints[input.node()].value : Expression());
  return result;
}

namespace {

// Whether gradients of all f take fewer operations than forward accumulation, which takes one for each column that a
// node depends on: as for a few constraints that close a long chain. A gradient takes about four for each node.
bool takes_fewer_by_rows(std::span<const Expression> f, std::span<const Expression> x) {
  constexpr std::size_t operations = 4;
  if (2 * operations * f.size() > x.size()) return false;
  const Graph& graph = Graph::current();
  std::size_t by_rows = 0, by_columns = 0;
  for (const Expression& y : f) by_rows += operations * dependencies(graph, {&y, 1}).size();
  std::vector<std::vector<std::uint32_t>> columns(graph.size());
  for (std::uint32_t j = 0; j < x.size(); ++j) columns[x[j].node()] = {j};
  for (const Node node : dependencies(graph, f)) {
    const auto count = static_cast<std::size_t>(operand_count(graph[node].operation));
    for (std::size_t i = 0; i < count; ++i) {
      std::vector<std::uint32_t> both;
      std::ranges::set_union(columns[node], columns[operands(graph[node])[i]], std::back_inserter(both));
      columns[node] = std::move(both);
    }
    if (count > 0) by_columns += columns[node].size();
  }
  return by_rows < by_columns;
}

}  // namespace

SparseExpressions jacobian(std::span<const Expression> f, std::span<const Expression> x) {
  SparseExpressions result{f.size(), x.size(), {}};
  if (takes_fewer_by_rows(f, x)) {
    for (std::uint32_t i = 0; i < f.size(); ++i) {
      const Expressions row = gradient(f[i], x);
      for (std::uint32_t j = 0; j < x.size(); ++j)
        if (!row[j].is_zero()) result.entries.push_back({i, j, row[j]});
    }
  } else {
    std::vector<Slopes> seeds;
    for (std::uint32_t j = 0; j < x.size(); ++j) seeds.push_back({{j, 1}});
    const std::vector<Slopes> rows = accumulate(f, x, seeds);
    for (std::uint32_t i = 0; i < rows.size(); ++i)
      for (const Slope& slope : rows[i]) result.entries.push_back({i, slope.column, slope.value});
  }
  std::ranges::stable_sort(result.entries, {}, &SparseExpressions::Entry::column);
  return result;
}

Expressions substitute(std::span<const Expression> f, std::span<const Expression> x, std::span<const Expression> y) {
  Graph& graph = Graph::current();
  const std::vector<Node> nodes = dependencies(graph, f);
  std::vector<Node> image(graph.size());
  for (const Node node : nodes) image[node] = node;
  for (std::size_t j = 0; j < x.size(); ++j) image[x[j].node()] = y[j].node();
  for (const Node node : nodes) {
    const NodeContents contents = graph[node];
    if (operand_count(contents.operation) == 0) continue;
    image[node] = graph.make(contents.operation, image[contents.a], image[contents.b], image[contents.c]);
  }
  Expressions result;
  for (const Expression& z : f) result.push_back(Expression::of(image[z.node()]));
  return result;
}

}  // namespace daelab
