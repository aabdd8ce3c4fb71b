// Trees of the order conditions of Runge-Kutta methods on differential-algebraic systems in Hessenberg form:
//
//   index 2:  y' = f(y, z),                0 = g(y),  g_y f_z invertible        vertices y, z
//   index 3:  y' = f(y, z), z' = k(y, z, u),  0 = g(y),  g_y f_z k_u invertible    vertices y, z, u
//
// The last kind is algebraic. A vertex of it counts negatively, as many times as g must be differentiated less one, and
// has children of kind y alone. The trees follow Hairer, Lubich, Roche, The numerical solution of
// differential-algebraic systems by Runge-Kutta methods, LNM 1409, Springer, 1989. For Runge-Kutta methods some repeat
// the conditions of smaller ones, because A^-1 A = 1; other methods need all trees.
#pragma once

#include <functional>
#include <vector>

#include "core/base/scalar.hpp"

namespace daelab {

enum class Vertex { y, z, u };

struct DaeTree {
  Vertex root;
  int order;
  Real100 gamma;                      // the condition of the tree: its weight is 1/gamma
  std::vector<std::size_t> children;  // places of smaller trees in the forest
};

enum class Trees { all, without_repetitions };

/// Trees by increasing order, so that children come before what they are children of.
class DaeForest {
 public:
  /// Told of each new tree by its place: whether it may be a child of larger ones. What it returns for the others must
  /// be implied: their conditions then follow.
  using MayBeChild = std::function<bool(std::size_t place)>;

  /// For index 2 or 3.
  explicit DaeForest(int index, MayBeChild may_be_child = {}, Trees trees = Trees::without_repetitions);
  /// Adds the trees with a root y up to `order`, with z to order - 1, with u to order - 2.
  void grow_to(int order);

  Vertex algebraic() const { return algebraic_; }
  const DaeTree& operator[](std::size_t i) const { return trees_[i]; }
  std::vector<std::size_t> of(Vertex root, int order) const;
  /// The root's only child has an algebraic root.
  bool is_algebraic_chain(const DaeTree& tree) const;
  /// No vertex of the tree but its root may be algebraic: it is a tree of ordinary differential equations, or a product
  /// of such trees below g.
  bool has_differential_children(const DaeTree& tree) const;

 private:
  void grow_index_two();
  void grow_index_three();
  std::vector<std::size_t> children(Vertex root, int most) const;
  void add_all(Vertex root, int order, const std::vector<std::size_t>& candidates, std::size_t fewest);
  void add(Vertex root, int order, std::vector<std::size_t> children);
  bool is_chain(std::size_t tree, Vertex first, Vertex second, Vertex third) const;
  bool repeats_as_child(std::size_t child) const;

  Vertex algebraic_;
  Trees which_;
  MayBeChild may_be_child_;
  int order_ = 0;  // of the trees with a root y
  std::vector<DaeTree> trees_;
  std::vector<bool> is_child_;
};

}  // namespace daelab
