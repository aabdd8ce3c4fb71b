// Graphs: the arena in which the expressions of one problem are, each of them once.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/expressions/expression.hpp"

namespace daelab {

/// An operation and its operands, which are earlier nodes. Of constants a counts the constants, of inputs the inputs.
struct NodeContents {
  Operation operation;
  Node a = 0, b = 0, c = 0;
  friend bool operator==(const NodeContents&, const NodeContents&) = default;
};

/// Those of them that the operation takes are the first operand_count().
inline std::array<Node, 3> operands(const NodeContents& contents) { return {contents.a, contents.b, contents.c}; }

/// An input: number `index` of the block `block` that a program is given, e.g. the second velocity.
struct Input {
  int block;
  int index;
  std::string name;
};

/// Nodes are numbered in the order of their making: operands come before what is made of them. Node 0 is the constant
/// 0, node 1 the constant 1. Not thread-safe.
class Graph {
 public:
  Graph();
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  /// A new one each time; its name is printed.
  Expression input(int block, int index, std::string name);
  Node constant(const Real100& value);
  /// Simplified, folded, or found where it is already.
  Node make(Operation operation, Node a, Node b = 0, Node c = 0);

  Node size() const { return static_cast<Node>(nodes_.size()); }
  const NodeContents& operator[](Node node) const { return nodes_[node]; }
  bool is_constant(Node node) const { return nodes_[node].operation == Operation::constant; }
  const Real100& constant_value(Node node) const { return constants_[nodes_[node].a]; }
  const Input& input_of(Node node) const { return inputs_[nodes_[node].a]; }

  /// That of the present RecordingScope of this thread. Throws std::logic_error where there is none.
  static Graph& current();

 private:
  friend class RecordingScope;
  Node fold(Operation operation, Node a, Node b, Node c);
  Node append(const NodeContents& contents);
  Node find_or_append(const NodeContents& contents);
  std::size_t place_of(const NodeContents& contents) const;
  void double_places();
  Node simplified_sum(Operation operation, Node a, Node b);
  Node simplified_product(Operation operation, Node a, Node b);
  Node simplified_function(Operation operation, Node a);
  Node negative(Node a);
  bool is_negation(Node node) const { return nodes_[node].operation == Operation::negate; }

  std::vector<NodeContents> nodes_;
  std::vector<Real100> constants_;
  std::vector<Input> inputs_;
  std::vector<Node> places_;  // a hash table of the operations, a power of two in size; 0 where nothing is
  std::size_t places_taken_ = 0;
  std::unordered_multimap<std::uint64_t, Node> constant_places_;  // by the bits of the constant in double
};

/// While it lives, expressions of this thread are in its graph. Scopes nest.
class RecordingScope {
 public:
  explicit RecordingScope(Graph& graph);
  ~RecordingScope();
  RecordingScope(const RecordingScope&) = delete;
  RecordingScope& operator=(const RecordingScope&) = delete;

 private:
  Graph* outer_;
};

/// All that some expressions depend on, themselves included, ascending: operands come first.
std::vector<Node> dependencies(const Graph& graph, std::span<const Expression> expressions);

/// The value of a constant expression. Throws std::logic_error for any other.
const Real100& constant_value(const Expression& x);
bool is_constant(const Expression& x);

}  // namespace daelab
