// Expressions as programs of the module of enclosures: constants become exact texts, and functions are
// written by the ones that it knows.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/expressions/graph.hpp"
#include "modules/enclosures/enclosures.hpp"

namespace daelab {

/// Blocks of the inputs of a program of the module; those of the last one are constants.
enum class BallBlock { time, unknown, direction, constant };

/// A graph in which each constant is an input, so that derivatives fold none of them in 100 digits; small whole numbers
/// stay what they are. The graph is the current one while it is worked with (RecordingScope).
class BallGraph {
 public:
  Graph& graph() { return graph_; }
  /// An input for what the other graph has as the input `index` of `block`.
  Expression input(BallBlock block, int index, const std::string& name) {
    return graph_.input(static_cast<int>(block), index, name);
  }
  void stands_for(int block, int index, const Expression& input) { inputs_[{block, index}] = input; }
  /// Expressions of the other graph in this one; while this one is the current graph. Throws InputError for functions
  /// that enclosures do not know.
  Expressions translated(const Graph& from, const Expressions& list);
  /// Values of the constants, for a program in double.
  const std::vector<double>& constant_values() const { return values_; }

  EnclosureProgram program(const Expressions& results, std::vector<EnclosureSlot>& slots);

 private:
  Expression constant(const Real100& value);
  Expression made(const NodeContents& node, const Expression& a, const Expression& b, const Expression& c);

  Graph graph_;
  std::map<std::pair<int, int>, Expression> inputs_;
  std::vector<std::string> texts_;
  std::vector<double> values_;
  std::map<std::string, Expression> constants_;
  std::map<Node, Expression> known_;  // nodes of the other graph
};

}  // namespace daelab
