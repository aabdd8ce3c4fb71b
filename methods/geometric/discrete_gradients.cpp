#include "methods/geometric/discrete_gradients.hpp"

#include <fmt/format.h>

#include <array>
#include <unordered_map>

#include "core/base/exact.hpp"
#include "core/base/status.hpp"
#include "core/expressions/derivative.hpp"
#include "core/expressions/graph.hpp"

namespace daelab {
namespace {

Expression mean(const Expression& a, const Expression& b) { return same(a, b) ? a : (a + b) / 2; }

// sum_k c_k x^(2k) of nine terms, c_k = c_(k-1) ratio(k): where x^2 < 1E-6 the rest is below 1E-54.
Expression even_series(const Expression& square_of_x, auto&& ratio) {
  Expression sum = 1, term = 1;
  for (int k = 1; k <= 8; ++k) sum += term *= square_of_x * ratio(k);
  return sum;
}

// f(x)/x for an odd f with f'(0) = 1, by `quotient` of an x that is not small.
Expression divided(const Expression& x, auto&& quotient, auto&& ratio) {
  const Expression s = square(x);
  const Condition is_small = s < Expression(Exact("1e-6"));
  return select(is_small, even_series(s, ratio), quotient(select(is_small, 1, x)));
}

Expression reciprocal(int value) { return Expression(1) / value; }

Expression sin_divided(const Expression& x) {
  return divided(
      x, [](const Expression& y) { return sin(y) / y; }, [](int k) { return -reciprocal(2 * k * (2 * k + 1)); });
}
Expression sinh_divided(const Expression& x) {
  return divided(
      x, [](const Expression& y) { return sinh(y) / y; }, [](int k) { return reciprocal(2 * k * (2 * k + 1)); });
}
Expression artanh_divided(const Expression& x) {
  return divided(
      x, [](const Expression& y) { return log((1 + y) / (1 - y)) / (2 * y); },
      [](int k) { return Expression(2 * k - 1) / (2 * k + 1); });
}

// An operand at both points.
struct Ends {
  Expression start, end;
  Expression middle() const { return mean(start, end); }
  Expression change() const { return end - start; }
  bool changes() const { return !same(start, end); }
};

// (f(a1) - f(a0))/(a1 - a0) without cancellation, for the functions whose differences are products.
std::optional<Expression> quotient_of_product(Operation operation, const Ends& a, const Ends& y) {
  const Expression d = a.change(), half = d / 2;
  switch (operation) {
    case Operation::negate:
      return -1;
    case Operation::sqrt:
      return 1 / (y.start + y.end);
    case Operation::exp:
      return exp(a.middle()) * sinh_divided(half);
    case Operation::log:
      return 2 / (a.start + a.end) * artanh_divided(d / (a.start + a.end));
    case Operation::sin:
      return cos(a.middle()) * sin_divided(half);
    case Operation::cos:
      return -(sin(a.middle()) * sin_divided(half));
    case Operation::tan:
      return sin_divided(d) / (cos(a.start) * cos(a.end));
    case Operation::sinh:
      return cosh(a.middle()) * sinh_divided(half);
    case Operation::cosh:
      return sinh(a.middle()) * sinh_divided(half);
    case Operation::tanh:
      return sinh_divided(d) / (cosh(a.start) * cosh(a.end));
    default:
      return {};
  }
}

class ChainRule {
 public:
  ChainRule(const Expression& f, const TwoPoints& points)
      : graph_(Graph::current()), points_(points), nodes_(dependencies(graph_, std::array{f})) {
    for (std::size_t i = 0; i < points.x.size(); ++i)
      ends_[points.x[i].node()] = {points.start[i], points.end[i]}, slopes_[points.x[i].node()] = {};
    for (const Node node : nodes_) place(node);
    slopes_[f.node()] = 1;
    for (auto node = nodes_.rbegin(); node != nodes_.rend(); ++node) spread(*node);
  }

  Expressions result() const {
    Expressions D;
    for (const Expression& x : points_.x) D.push_back(slopes_.at(x.node()));
    return D;
  }

 private:
  const Ends& ends(Node node) const { return ends_.at(node); }

  void place(Node node) {
    if (ends_.contains(node)) return;
    const NodeContents contents = graph_[node];
    const int count = operand_count(contents.operation);
    const std::array<Node, 3> of = operands(contents);
    std::array<Node, 3> start{}, end{};
    bool changes = false;
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
      start[i] = ends(of[i]).start.node(), end[i] = ends(of[i]).end.node();
      changes |= ends(of[i]).changes();
    }
    const auto make = [&](const std::array<Node, 3>& x) {
      return Expression::of(graph_.make(contents.operation, x[0], x[1], x[2]));
    };
    ends_[node] = changes ? Ends{make(start), make(end)} : Ends{Expression::of(node), Expression::of(node)};
  }

  void add(Node node, const Expression& slope) {
    if (ends(node).changes()) slopes_[node] += slope;
  }

  // Passes the slope of a node on to its operands.
  void spread(Node node) {
    const NodeContents contents = graph_[node];
    const Expression slope = slopes_[node];
    if (!ends(node).changes() || operand_count(contents.operation) == 0 || slope.is_zero()) return;
    const Ends a = ends(contents.a), b = operand_count(contents.operation) > 1 ? ends(contents.b) : Ends{};
    switch (contents.operation) {
      case Operation::add:
        return add(contents.a, slope), add(contents.b, slope);
      case Operation::subtract:
        return add(contents.a, slope), add(contents.b, -slope);
      case Operation::multiply:
        return add(contents.a, slope * b.middle()), add(contents.b, slope * a.middle());
      case Operation::divide: {
        const Expression part = slope / (b.start * b.end);
        return add(contents.a, part * b.middle()), add(contents.b, -(part * a.middle()));
      }
      default:
        return add(contents.a, slope * quotient(contents, a, ends(node)));
    }
  }

  Expression quotient(const NodeContents& contents, const Ends& a, const Ends& y) {
    if (const auto exact = quotient_of_product(contents.operation, a, y)) return *exact;
    switch (contents.operation) {
      case Operation::power:
      case Operation::asin:
      case Operation::acos:
      case Operation::atan:
      case Operation::abs:
        return plain_quotient(contents, a, y);
      default:
        throw NotApplicable(
            "gradient = chain-rule has no difference quotient of a function of two values, and none of a choice: take "
            "gradient = decomposed or joint");
    }
  }

  // The slope at the midpoint where the difference quotient would be round-off.
  Expression plain_quotient(const NodeContents& contents, const Ends& a, const Ends& y) {
    const Expression d = a.change();
    const Condition is_far = square(d) > points_.least * (1 + square(a.middle()));
    const Expression z = graph_.input(-1, 0, "z");
    const Expression f = Expression::of(graph_.make(contents.operation, z.node(), contents.b, contents.c));
    const Expression slope = substitute(gradient(f, std::array{z}), std::array{z}, std::array{a.middle()}).front();
    return select(is_far, y.change() / select(is_far, d, 1), slope);
  }

  Graph& graph_;
  const TwoPoints& points_;
  std::vector<Node> nodes_;
  std::unordered_map<Node, Ends> ends_;
  std::unordered_map<Node, Expression> slopes_;
};

}  // namespace

Expressions TwoPoints::middle() const {
  Expressions result;
  for (std::size_t i = 0; i < x.size(); ++i) result.push_back(mean(start[i], end[i]));
  return result;
}

Expressions TwoPoints::change() const {
  Expressions result;
  for (std::size_t i = 0; i < x.size(); ++i) result.push_back(end[i] - start[i]);
  return result;
}

bool is_quadratic(const Expression& f, std::span<const Expression> x) {
  Expressions second;
  for (const auto& entry : jacobian(gradient(f, x), x).entries) second.push_back(entry.value);
  const std::vector<Node> nodes = dependencies(Graph::current(), second);
  return std::ranges::none_of(x,
                              [&](const Expression& input) { return std::ranges::binary_search(nodes, input.node()); });
}

Expressions gonzalez_correction(const Expression& f, const TwoPoints& points) {
  Expressions way = points.change();
  if (is_quadratic(f, points.x)) return Expressions(way.size());
  const std::array list{f};
  const Expressions slope = substitute(gradient(f, points.x), points.x, points.middle());
  Expression rest = substitute(list, points.x, points.end).front() - substitute(list, points.x, points.start).front();
  Expression length, scale = 1;
  for (std::size_t i = 0; i < way.size(); ++i)
    rest -= slope[i] * way[i], length += square(way[i]), scale += square(points.start[i]);
  const Condition is_far = length > points.least * scale;
  const Expression factor = select(is_far, rest / select(is_far, length, 1), 0);
  for (Expression& x : way) x = factor * x;
  return way;
}

Expressions chain_rule_gradient(const Expression& f, const TwoPoints& points) { return ChainRule(f, points).result(); }

}  // namespace daelab
