// What nodes of a graph are written as: powers of products, conditions of numbers.
#pragma once

#include <vector>

#include "core/expressions/graph.hpp"

namespace daelab {

class PrintedShapes {
 public:
  struct Power {
    Node base;
    int exponent;
  };

  explicit PrintedShapes(const Graph& graph);

  /// x^k where the node is what pow(x, k) makes; else exponent 1.
  const Power& power(Node node) const { return powers_[node]; }
  /// The value is 1 or 0, as that of conditions and of their and, or, not.
  bool is_truth(Node node) const { return truths_[node]; }
  /// By which sums and products are ordered: x^2 + y^2, whichever was made first.
  Node first_input(Node node) const { return first_inputs_[node]; }
  /// What x/2^k becomes in the graph.
  bool is_power_of_half(Node node) const;

  /// For the node as it is written.
  template <class Visit>
  void for_each_operand(Node node, const Visit& visit) const {
    if (const Power& p = power(node); p.exponent > 1) return visit(p.base);
    const NodeContents& x = graph_[node];
    const int count = operand_count(x.operation);
    if (count > 0) visit(x.a);
    if (count > 1) visit(x.b);
    if (count > 2) visit(x.c);
  }

 private:
  Power find_power(Node node) const;
  bool find_truth(Node node) const;
  Node find_first_input(Node node) const;
  bool stands_as_condition(Node node) const { return truths_[node] || node < 2; }

  const Graph& graph_;
  std::vector<bool> truths_;
  std::vector<Power> powers_;
  std::vector<Node> first_inputs_;
};

}  // namespace daelab
