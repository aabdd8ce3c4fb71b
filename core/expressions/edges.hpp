// Edges of functions: points where a factor has no finite slope and what it is multiplied by is 0, such as x = 0 of
// x sqrt(x). The product rule gives 0 times infinity there, the derivative exists.
//
//   Powers of one base are differentiated as powers: x sqrt(x), sqrt(x)^3 and sqrt(x^3) are x^(3/2), with the slope
//   3/2 x^(1/2).
//   A product a b has at a = 0 the derivative a' b where b is continuous and a is no steeper than a line, because
//   a(h) (b(h) - b(0))/h goes to 0: the term a b' does not count.
//
// A derivative that neither of them tells stays infinite or not a number.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "core/base/real.hpp"
#include "core/expressions/graph.hpp"

namespace daelab {

/// base^exponent, or |base|^exponent.
struct PowerOf {
  Expression base;
  Real100 exponent;
  bool of_absolute = false;

  Expression slope() const;  // by the base
};

/// What is known of the edges of some nodes. Conditions are 1 or 0, and the constant 0 where an edge cannot be.
class Edges {
 public:
  /// nodes: ascending, with all that they depend on.
  Edges(Graph& graph, const std::vector<Node>& nodes);

  /// The power that a product, root or power of powers is, where one of them is fractional; null for all others.
  const PowerOf* power_law(Node node) const;
  /// Condition under which the term a b' of a product, or that of a quotient a/b, does not count.
  Expression hides(const Expression& a, const Expression& b) const;

 private:
  PowerOf law_of(Node node) const;
  std::optional<PowerOf> composed(const NodeContents& contents) const;
  std::optional<PowerOf> product_law(const NodeContents& contents) const;
  Expression edge(const Expression& x) const;
  Expression own_edge(Node node) const;
  Expression edge_of(Node node) const;

  Graph& graph_;
  std::unordered_map<Node, PowerOf> laws_;      // of other nodes: the node itself to the power 1
  std::unordered_map<Node, Expression> edges_;  // where slopes are infinite; of other nodes nowhere
};

}  // namespace daelab
