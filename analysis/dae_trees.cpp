#include "analysis/dae_trees.hpp"

#include <algorithm>
#include <functional>

namespace daelab {
namespace {

// Calls take(children) for every multiset of at least `fewest` candidates whose orders have the sum `total`.
void for_each_multiset(const std::vector<DaeTree>& trees, const std::vector<std::size_t>& candidates, int total,
                       std::size_t fewest, const std::function<void(const std::vector<std::size_t>&)>& take) {
  std::vector<std::size_t> chosen;
  const std::function<void(int, std::size_t)> extend = [&](int rest, std::size_t end) {
    if (rest == 0) {
      if (chosen.size() >= fewest) take(chosen);
      return;
    }
    for (std::size_t i = 0; i < end; ++i) {
      const int order = trees[candidates[i]].order;
      if (order > rest) continue;
      chosen.push_back(candidates[i]);
      extend(rest - order, i + 1);
      chosen.pop_back();
    }
  };
  extend(total, candidates.size());
}

}  // namespace

DaeForest::DaeForest(int index, MayBeChild may_be_child, Trees trees)
    : algebraic_(index == 2 ? Vertex::z : Vertex::u), which_(trees), may_be_child_(std::move(may_be_child)) {}

void DaeForest::grow_to(int order) {
  while (order_ < order) {
    ++order_;
    if (algebraic_ == Vertex::z)
      grow_index_two();
    else
      grow_index_three();
  }
}

std::vector<std::size_t> DaeForest::of(Vertex root, int order) const {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < trees_.size(); ++i)
    if (trees_[i].root == root && trees_[i].order == order) found.push_back(i);
  return found;
}

bool DaeForest::is_algebraic_chain(const DaeTree& tree) const {
  return tree.children.size() == 1 && trees_[tree.children[0]].root == algebraic_;
}

bool DaeForest::has_differential_children(const DaeTree& tree) const {
  return std::ranges::all_of(tree.children, [&](std::size_t i) {
    return trees_[i].root == Vertex::y && has_differential_children(trees_[i]);
  });
}

// The tree is [[..]_second]_first with one child each, the innermost one of the third kind.
bool DaeForest::is_chain(std::size_t tree, Vertex first, Vertex second, Vertex third) const {
  const DaeTree& outer = trees_[tree];
  if (outer.root != first || outer.children.size() != 1) return false;
  const DaeTree& inner = trees_[outer.children[0]];
  return inner.root == second && inner.children.size() == 1 && trees_[inner.children[0]].root == third;
}

// Condition and value of such a child equal those of a smaller tree: f_z solves what g_y asked for.
bool DaeForest::repeats_as_child(std::size_t child) const {
  if (which_ == Trees::all) return false;
  if (algebraic_ == Vertex::z) return trees_[child].root == Vertex::y && is_algebraic_chain(trees_[child]);
  return is_chain(child, Vertex::y, Vertex::z, Vertex::u) || is_chain(child, Vertex::z, Vertex::u, Vertex::y) ||
         is_chain(child, Vertex::u, Vertex::y, Vertex::z);
}

// What a vertex may have as children, up to the order `most`: y below algebraic vertices, as g depends on y alone; all
// kinds below others, except that y' does not depend on u.
std::vector<std::size_t> DaeForest::children(Vertex root, int most) const {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < trees_.size(); ++i) {
    const DaeTree& tree = trees_[i];
    const bool of_equation = root == algebraic_ ? tree.root == Vertex::y : root == Vertex::z || tree.root != Vertex::u;
    if (of_equation && tree.order <= most && is_child_[i]) found.push_back(i);
  }
  return found;
}

void DaeForest::add(Vertex root, int order, std::vector<std::size_t> children) {
  Real100 gamma = 1;
  for (const std::size_t i : children) gamma *= trees_[i].gamma;
  if (root != algebraic_)
    gamma *= order;
  else
    gamma /= algebraic_ == Vertex::z ? order + 1 : (order + 1) * (order + 2);
  trees_.push_back({root, order, gamma, std::move(children)});
  const std::size_t place = trees_.size() - 1;
  const bool kept = !may_be_child_ || may_be_child_(place);
  is_child_.push_back(kept && !repeats_as_child(place));
}

void DaeForest::add_all(Vertex root, int order, const std::vector<std::size_t>& candidates, std::size_t fewest) {
  const int total = root != algebraic_ ? order - 1 : algebraic_ == Vertex::z ? order + 1 : order + 2;
  std::vector<std::vector<std::size_t>> found;
  for_each_multiset(trees_, candidates, total, fewest, [&](const auto& chosen) { found.push_back(chosen); });
  for (const auto& chosen : found) add(root, order, chosen);
}

// An algebraic vertex with one child, of order r + 1, repeats it: A^-1 A. The child is no chain [u]_y, which z was
// solved for, so that those of order r come last.
void DaeForest::grow_index_two() {
  const int r = order_ - 1;
  if (which_ == Trees::without_repetitions) {
    if (r > 0) add_all(Vertex::z, r, children(Vertex::z, r), 2);
    return add_all(Vertex::y, order_, children(Vertex::y, r), 0);
  }
  add_all(Vertex::y, order_, children(Vertex::y, r), 0);
  if (r == 0) return;
  add_all(Vertex::z, r, children(Vertex::z, order_), 1);
  for (const std::size_t z : of(Vertex::z, r))
    if (is_child_[z]) add(Vertex::y, order_, {z});
}

// An algebraic vertex of order r may have a single child of kind y and order r + 2, and that one of kind z and order
// r + 1. So these three grow together: first without algebraic vertices of order r.
void DaeForest::grow_index_three() {
  if (order_ <= 2) {
    if (order_ == 1) add_all(Vertex::y, 1, {}, 0), add_all(Vertex::z, 1, {}, 0);
    if (order_ == 2) add_all(Vertex::y, 2, children(Vertex::y, 1), 0);
    return;
  }
  const int r = order_ - 2;
  add_all(Vertex::z, r + 1, children(Vertex::z, r), 0);
  add_all(Vertex::y, r + 2, children(Vertex::y, r + 1), 0);
  add_all(Vertex::u, r, children(Vertex::u, r + 2), 1);
  for (const std::size_t u : of(Vertex::u, r))
    if (is_child_[u]) add(Vertex::z, r + 1, {u});
  for (const std::size_t z : of(Vertex::z, r + 1))
    if (is_algebraic_chain(trees_[z]) && is_child_[z]) add(Vertex::y, r + 2, {z});
}

}  // namespace daelab
