// Order conditions of any height from few trees.
//
// With x(t) = gamma(t) A Phi(t) the condition of a tree t = [t1 .. tm] of n nodes reads  n b^T (x(t1) * ... * x(tm)) =
// 1, and x(t) = n A (x(t1) * ... * x(tm)). Both are linear in each x(ti), and the right side is the same for all trees.
// So if x(t') of a subtree is a combination of others with as many nodes, whose coefficients add up to 1, the
// conditions of trees with t' follow from those with the others in its place. Hence of each number of nodes only an
// affine basis of the x is needed: one vector up to the stage order, and never more than there are stages, although the
// trees grow threefold with each node.
//
// [HNW93] Hairer, Nørsett, Wanner, Solving Ordinary Differential Equations I, 2nd ed., Springer, 1993, Sec. II.2.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/affine_hull.hpp"

namespace daelab {

class TreeHulls {
 public:
  explicit TreeHulls(const RoundedCoefficients& t) : t_(t) {}

  struct Conditions {
    Real100 residual = 0, tolerance = 0;  // largest |b^T Phi - 1/gamma|, and what the rounding may make of one
    std::string violated;                 // the condition of that residual; "": none is
  };
  /// Those of the trees with so many nodes, in ascending order of calls. Nothing when they would take longer than a few
  /// seconds.
  std::optional<Conditions> check(int nodes);

 private:
  struct Child {
    int nodes;
    std::size_t place;  // in its hull
  };
  struct Tree {
    Rounded x;
    Real100 gamma;
    std::vector<Child> children;
  };
  // Trees with as many nodes, whose x are an affine basis.
  struct Hull {
    std::vector<Tree> trees;
    AffineHull basis;
  };

  // Calls action(product of x, product of gammas, children) for the multisets of known trees with so many nodes in all.
  // False when they are too many.
  template <class Action>
  bool for_all_products(int nodes, const Action& action);
  template <class Action>
  bool attach(const Rounded& product, const Real100& gamma, int rest, Child last, const Action& action);
  bool grow(int nodes);
  std::string weight(const std::vector<Child>& children) const;

  const RoundedCoefficients& t_;
  std::vector<Hull> hulls_;  // of 1, 2, ... nodes
  std::vector<Child> children_;
  std::size_t work_ = 0;
};

}  // namespace daelab
