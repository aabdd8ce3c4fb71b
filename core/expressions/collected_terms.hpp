// The terms of a sum for a reader: each once, with the sum of its factors.
#pragma once

#include <functional>
#include <map>
#include <vector>

#include "core/expressions/graph.hpp"
#include "core/expressions/printed_shapes.hpp"

namespace daelab {

class CollectedTerms {
 public:
  static constexpr Node one = 1;  // the constant: numbers are its multiples
  struct Term {
    Node node;
    Real100 factor;
  };

  /// Collects the terms of the node `sum`. `has_name` tells the nodes that are written by a name, not term by term.
  CollectedTerms(const Graph& graph, const PrintedShapes& shapes, Node sum, const std::function<bool(Node)>& has_name);

  /// In the order of their first occurrence; factors may have become 0.
  const std::vector<Term>& list() const { return list_; }
  bool has_equal_ones() const { return has_equal_ones_; }

 private:
  void add(Node node, const Real100& factor);
  void add_term(Node node, const Real100& factor);

  const Graph& graph_;
  const PrintedShapes& shapes_;
  const std::function<bool(Node)>& has_name_;
  std::vector<Term> list_;
  std::map<Node, std::size_t> places_;
  bool has_equal_ones_ = false;
};

}  // namespace daelab
