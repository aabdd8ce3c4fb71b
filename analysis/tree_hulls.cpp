#include "analysis/tree_hulls.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/base/exact.hpp"

namespace daelab {
namespace {

// Multiplications in 100 digits: some two seconds.
constexpr std::size_t most_work = 10'000'000;
}  // namespace

template <class Action>
bool TreeHulls::attach(const Rounded& product, const Real100& gamma, int rest, Child last, const Action& action) {
  if (rest == 0) return action(product, gamma, children_);
  for (int nodes = std::min(rest, last.nodes); nodes >= 1; --nodes) {
    const std::vector<Tree>& trees = hulls_[static_cast<std::size_t>(nodes - 1)].trees;
    // Of as many nodes as the last child: not after it, so that each multiset is found once.
    const std::size_t end = nodes == last.nodes ? std::min(trees.size(), last.place + 1) : trees.size();
    for (std::size_t i = 0; i < end; ++i) {
      work_ += static_cast<std::size_t>(t_.stages());
      if (work_ > most_work) return false;
      children_.push_back({nodes, i});
      const bool complete =
          attach(t_.times(product, trees[i].x), gamma * trees[i].gamma, rest - nodes, {nodes, i}, action);
      children_.pop_back();
      if (!complete) return false;
    }
  }
  return true;
}

template <class Action>
bool TreeHulls::for_all_products(int nodes, const Action& action) {
  children_.clear();
  return attach(t_.ones(), Real100(1), nodes, {nodes, std::size_t(-1) - 1}, action);
}

bool TreeHulls::grow(int nodes) {
  Hull hull;
  const bool complete =
      for_all_products(nodes - 1, [&](const Rounded& product, const Real100& gamma, const auto& children) {
        work_ += t_.work();
        Rounded x = t_.A(product);
        x.value *= Real100(nodes), x.error *= Real100(nodes);
        if (hull.basis.take_in(x, t_.exact())) hull.trees.push_back({std::move(x), gamma * nodes, children});
        return work_ <= most_work;
      });
  if (complete) hulls_.push_back(std::move(hull));
  return complete;
}

// Phi, leaves first.
std::string TreeHulls::weight(const std::vector<Child>& children) const {
  std::vector<std::string> factors;
  std::size_t leaves = 0;
  for (const auto& [nodes, place] : children)
    if (nodes == 1)
      ++leaves;
    else
      factors.push_back("A(" + weight(hulls_[static_cast<std::size_t>(nodes - 1)].trees[place].children) + ")");
  if (leaves > 0) factors.insert(factors.begin(), leaves == 1 ? "c" : fmt::format("c^{}", leaves));
  return factors.empty() ? "1" : fmt::format("{}", fmt::join(factors, " * "));
}

std::optional<TreeHulls::Conditions> TreeHulls::check(int nodes) {
  while (static_cast<int>(hulls_.size()) < nodes - 1)
    if (!grow(static_cast<int>(hulls_.size()) + 1)) return {};
  Conditions conditions;
  const bool complete =
      for_all_products(nodes - 1, [&](const Rounded& product, const Real100& gamma, const auto& children) {
        const auto [sum, error] = t_.sum(product);
        const Real100 found = sum / gamma, wanted = 1 / (gamma * nodes), residual = abs(found - wanted);
        const Real100 tolerance = error / gamma;
        conditions.tolerance = std::max(conditions.tolerance, tolerance);
        const bool holds = vanishes(residual, tolerance);
        if (residual <= conditions.residual && (holds || !conditions.violated.empty())) return true;
        conditions.residual = residual;
        if (!holds)
          conditions.violated =
              fmt::format("b^T({}) = {}, must be {}", weight(children), to_text(found, 12), exact_text(wanted));
        return true;
      });
  return complete ? std::optional(std::move(conditions)) : std::nullopt;
}

}  // namespace daelab
