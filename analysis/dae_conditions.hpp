// Which order conditions on differential-algebraic systems a method satisfies, in ascending order.
//
// Methods differ in what acts on the weights of children, and on their product: A and A^-1 of Runge-Kutta methods,
// alpha, beta and beta^-1 of Rosenbrock methods, a and â of pairs.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "analysis/affine_hull.hpp"
#include "analysis/dae_trees.hpp"

namespace daelab {

/// The conditions of one kind of trees.
struct DaeConditions {
  int order = 0;          // all conditions up to it hold
  bool is_exact = false;  // one of order + 1 fails; otherwise trees end there
  int checked = 0;
  std::string violated;  // the first that fails: "b^T(W(c^3)) = 0.9, must be 1"; "": none
  Real100 residual = 0;
};

/// "y of order 4 fails by 1/36: b^T(..) = .., must be .." or "all 12 conditions of y up to order 3 hold".
std::string explained(const char* what, const DaeConditions& conditions);

/// What a method makes of trees: Phi of a tree is the product of its children's, each under an operator, under the
/// operator of its root; its condition is b^T (at the end) Phi = 1/gamma.
struct DaeWeights {
  /// A matrix, and its names before a weight and before 1; null: the weight itself.
  struct Operator {
    const RoundedCoefficients* matrix = nullptr;
    const char* name = "";
    const char* leaf = "";
  };
  /// By kind of parent and of child, of a child that is alone and of one beside others.
  struct OfChild {
    Operator alone, beside;
    OfChild() = default;
    OfChild(const Operator& both) : alone(both), beside(both) {}
    OfChild(const Operator& alone_, const Operator& beside_) : alone(alone_), beside(beside_) {}
  };

  const RoundedCoefficients* b = nullptr;  // for sums
  std::array<std::array<OfChild, 3>, 3> below = {};
  std::array<std::vector<Operator>, 3> root = {}, end = {};            // applied one after the other
  std::function<void(const DaeTree& tree, Rounded& Phi)> finish = {};  // what no operator gives; may be missing

  OfChild& at(Vertex parent, Vertex child) {
    return below[static_cast<std::size_t>(parent)][static_cast<std::size_t>(child)];
  }
  std::vector<Operator>& of_root(Vertex v) { return root[static_cast<std::size_t>(v)]; }
  std::vector<Operator>& at_end(Vertex v) { return end[static_cast<std::size_t>(v)]; }
};

class DaeConditionSearch {
 public:
  /// Trees whose weights are affine combinations of others give no new conditions as subtrees: `pruned` leaves them
  /// out there.
  DaeConditionSearch(int index, const DaeWeights& weights, Trees trees, bool pruned = true);
  DaeConditionSearch(const DaeConditionSearch&) = delete;
  DaeConditionSearch& operator=(const DaeConditionSearch&) = delete;

  const DaeForest& forest() const { return forest_; }

  /// Looks at the trees with this root in ascending order until one fails; `asks` says which belong to an order.
  using Asks = std::function<bool(const DaeTree& tree, int order)>;
  DaeConditions of(Vertex root, int most, const Asks& asks);
  /// All of an order.
  DaeConditions of(Vertex root, int most);

 private:
  bool grow_to(int order);
  bool weigh(std::size_t place);
  Rounded weight(const DaeTree& tree) const;
  void compare(std::size_t i, int order, DaeConditions& found) const;
  std::string text(const DaeTree& tree) const;
  DaeWeights::Operator of_child(const DaeTree& parent, std::size_t child) const;

  const DaeWeights& weights_;
  std::vector<Rounded> Phi_;  // of all trees
  std::map<std::pair<Vertex, int>, AffineHull> hulls_;
  int grown_ = 0;
  DaeForest forest_;
};

}  // namespace daelab
