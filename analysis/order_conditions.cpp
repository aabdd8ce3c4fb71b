#include "analysis/order_conditions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "analysis/rounded_coefficients.hpp"
#include "analysis/tree_hulls.hpp"
#include "core/base/exact.hpp"

namespace daelab {
namespace {

Rounded rounded_difference(const Rounded& x, const Rounded& y, int divisor) {
  return {x.value - y.value / Real100(divisor), x.error + y.error / Real100(divisor)};
}

// The largest k <= limit such that condition(1), ..., condition(k) hold.
template <class Condition>
int largest(int limit, const Condition& condition) {
  int k = 0;
  while (k < limit && condition(k + 1)) ++k;
  return k;
}

// Whether b^T A^m (A c^(k-1) - c^k / k) = 0 for all m; those from the number of stages on follow from the ones before.
bool stays_out(const RoundedCoefficients& t, const Rounded& c, int k) {
  Rounded error = rounded_difference(t.A(t.power(c, k - 1)), t.power(c, k), k);
  for (Index m = 0; m < t.stages(); ++m, error = t.A(error))
    if (!vanishes(t.sum(error))) return false;
  return true;
}

// No quadrature on s nodes exceeds order 2s; C and D are cut there, for the case that a method of
// one explicit stage satisfies all of them.
int highest_assumption(const RoundedCoefficients& t) { return static_cast<int>(2 * t.stages()) + 1; }

// The largest q such that A c^(k-1) = c^k / k for k <= q.
int simplifying_C(const RoundedCoefficients& t, const Rounded& c) {
  return largest(highest_assumption(t),
                 [&](int k) { return vanishes(rounded_difference(t.A(t.power(c, k - 1)), t.power(c, k), k)); });
}

void set_simplifying_assumptions(const RoundedCoefficients& t, OrderReport& report) {
  const int limit = highest_assumption(t);
  const Rounded c = t.A(t.ones());
  report.quadrature_order = largest(limit, [&](int k) {
    auto condition = t.sum(t.power(c, k - 1));
    condition.first -= Real100(1) / k;
    return vanishes(condition);
  });
  report.C = simplifying_C(t, c);
  report.D = largest(limit, [&](int k) {
    const Rounded rest = rounded_difference(t.ones(), t.power(c, k), 1);
    return vanishes(rounded_difference(t.A_transposed(t.times(t.b(), t.power(c, k - 1))), t.times(t.b(), rest), k));
  });
  report.stage_order = std::min(report.C, report.quadrature_order);
  report.pseudo_stage_order = largest(report.quadrature_order, [&](int k) { return stays_out(t, c, k); });
}

// Rooted trees by increasing number of nodes. A tree is a root with a multiset of smaller trees:
//
//   Phi([t1 .. tm]) = A Phi(t1) * ... * A Phi(tm)  (componentwise),
//   gamma([t1 .. tm]) = nodes * gamma(t1) * ... * gamma(tm).
//
// y' = f(t, y) is autonomous in (t, y), with stages c_i of t. Where these are not the sums of rows, leaves are of two
// kinds: c, and A1 of the components of y.
class Trees {
 public:
  Trees(const RoundedCoefficients& t, int C, const Rounded* nodes_of_time = nullptr)
      : t_(t), C_(nodes_of_time == nullptr ? C : 0), nodes_of_time_(nodes_of_time) {}

  // Checks the conditions of the next order. Returns false when there are more trees than `most`;
  // largest_residual() then covers those seen.
  bool check_next(std::size_t most) {
    take_in_grown();
    ++nodes_;
    most_ = most;
    count_ = 0;
    residual_ = 0, tolerance_ = 0;
    holds_ = true;
    children_.clear();
    attach(t_.ones(), Real100(1), nodes_ - 1, subtrees_.size(), true);
    return count_ <= most_;
  }

  bool all_hold() const { return holds_; }
  const Real100& largest_residual() const { return residual_; }
  // What the rounding of coefficients may do to a condition, at most.
  const Real100& tolerance() const { return tolerance_; }
  // "b^T(c * A(c)) = 0.166666666667, must be 1/8"
  const std::string& worst_condition() const { return condition_; }

 private:
  struct Grown {
    Real100 gamma;
    Rounded Phi;
    std::vector<std::size_t> children;
  };
  struct Subtree {
    int nodes;
    Real100 gamma;
    Rounded A_Phi;
    std::vector<std::size_t> children;
  };

  // Trees of the last order asked for are no subtrees of others: they are the most, and need no product with A.
  void take_in_grown() {
    for (Grown& tree : grown_)
      subtrees_.push_back({nodes_, std::move(tree.gamma), t_.A(tree.Phi), std::move(tree.children)});
    if (nodes_ == 1 && nodes_of_time_ != nullptr) subtrees_.push_back({1, Real100(1), *nodes_of_time_, {}});
    grown_.clear();
  }

  // Phi, leaves first.
  std::string weight(const std::vector<std::size_t>& children) const {
    std::vector<std::string> factors;
    std::size_t leaves[2] = {0, 0};  // of the first subtree, and of time
    for (const std::size_t i : children)
      if (subtrees_[i].nodes == 1)
        ++leaves[i];
      else
        factors.push_back("A(" + weight(subtrees_[i].children) + ")");
    for (const std::size_t kind : {std::size_t{1}, std::size_t{0}}) {
      const char* name = kind == 0 && nodes_of_time_ != nullptr ? "(A1)" : "c";
      if (leaves[kind] > 0)
        factors.insert(factors.begin(), leaves[kind] == 1 ? name : fmt::format("{}^{}", name, leaves[kind]));
    }
    return factors.empty() ? "1" : fmt::format("{}", fmt::join(factors, " * "));
  }

  // Adds children with `rest` nodes in all, in an order that finds every multiset once: each child
  // is before `end` in the list, the next one not after it.
  void attach(const Rounded& Phi, const Real100& gamma, int rest, std::size_t end, bool only_leaves) {
    if (count_ > most_) return;
    if (rest == 0) return finish(Phi, gamma * nodes_, only_leaves);
    for (std::size_t i = 0; i < end; ++i) {
      const Subtree& child = subtrees_[i];
      if (child.nodes > rest) break;
      children_.push_back(i);
      attach(t_.times(Phi, child.A_Phi), gamma * child.gamma, rest - child.nodes, i + 1,
             only_leaves && child.nodes == 1);
      children_.pop_back();
    }
  }

  void finish(const Rounded& Phi, const Real100& gamma, bool only_leaves) {
    ++count_;
    compare(t_.sum(Phi), 1 / gamma);
    // C(q) says A c^(k-1) = c^k / k: as a subtree, a bush of k <= q nodes acts like k leaves.
    const bool replaceable = only_leaves && nodes_ > 1 && nodes_ <= C_;
    if (!replaceable) grown_.push_back({gamma, Phi, children_});
  }

  void compare(const std::pair<Real100, Real100>& found, const Real100& wanted) {
    const Real100 residual = abs(found.first - wanted);
    const bool holds = vanishes(residual, found.second);
    tolerance_ = std::max(tolerance_, found.second);
    if (residual <= residual_ && (holds || !holds_)) return;
    residual_ = residual;
    if (holds) return;
    holds_ = false;
    condition_ =
        fmt::format("b^T({}) = {}, must be {}", weight(children_), to_text(found.first, 12), exact_text(wanted));
  }

  const RoundedCoefficients& t_;
  int C_;
  const Rounded* nodes_of_time_;
  int nodes_ = 0;
  std::size_t most_ = 0, count_ = 0;
  bool holds_ = true;
  Real100 residual_ = 0, tolerance_ = 0;
  std::string condition_;
  std::vector<std::size_t> children_;  // of the tree in the making
  std::vector<Subtree> subtrees_;      // by increasing number of nodes
  std::vector<Grown> grown_;           // trees of the present order
};

constexpr std::size_t any_number = std::size_t{1} << 40;  // of trees

// Orders above the last one whose trees were all checked.
void check_hulls(const RoundedCoefficients& t, OrderReport& report) {
  TreeHulls hulls(t);
  while (const std::optional<TreeHulls::Conditions> conditions = hulls.check(report.order + 1)) {
    report.is_exact = !conditions->violated.empty();
    if (report.is_exact) report.residual = conditions->residual, report.violated = conditions->violated;
    if (report.is_exact) return;
    report.residuals.push_back(conditions->residual);
    report.tolerance = conditions->tolerance;
    ++report.order;
  }
}

// Sets order, residual and is_exact from the trees.
void check_trees(const RoundedCoefficients& t, int max_order, OrderReport& report) {
  // Order 11 has 1842 trees; a number like that, cheap in 100 digits, is also the limit beyond.
  constexpr std::size_t few = 2000;
  Trees trees(t, report.C);
  while (true) {
    const bool complete = trees.check_next(report.order < max_order ? any_number : few);
    if (!complete && trees.all_hold()) {
      report.all_trees = report.order;
      return check_hulls(t, report);
    }
    report.is_exact = !trees.all_hold();
    report.all_trees = report.order + 1;
    if (report.is_exact) report.residual = trees.largest_residual(), report.violated = trees.worst_condition();
    if (report.is_exact) return;
    report.residuals.push_back(trees.largest_residual());
    report.tolerance = trees.tolerance();
    ++report.order;
  }
}

std::string description(const OrderReport& r, int digits) {
  std::string to_digits;
  if (digits > 0 && r.order > 0)
    to_digits =
        fmt::format(", to {} digits: residuals of at most {}, and rounding explains {}", digits,
                    to_text(*std::max_element(r.residuals.begin(), r.residuals.end()), 2), to_text(r.tolerance, 2));
  std::string reduction = r.C > 1 ? fmt::format(" (subtrees reduced by C({}))", r.C) : std::string();
  if (const int last = r.order + (r.is_exact ? 1 : 0); last > r.all_trees)
    reduction += fmt::format(", and with up to {} those that the others follow from", last);
  const std::string trees = fmt::format("all rooted trees with up to {} nodes{}{}", r.all_trees, reduction, to_digits);
  if (!r.is_exact) return fmt::format("{}; a lower bound, higher orders have too many trees", trees);
  return fmt::format("{}; order {} fails with residual {}: {}", trees, r.order + 1, to_text(r.residual, 3), r.violated);
}

}  // namespace

OrderReport order_report(const Tableau& tableau, int max_order) {
  OrderReport report;
  const RoundedCoefficients coefficients(tableau);
  set_simplifying_assumptions(coefficients, report);
  check_trees(coefficients, max_order, report);
  report.how = description(report, tableau.digits);
  return report;
}

TimeOrder order_with_time(const Tableau& tableau, int most) {
  const RoundedCoefficients coefficients(tableau);
  Rounded nodes = coefficients.ones();
  nodes.value = tableau.c;
  if (tableau.digits > 0) nodes.error = tableau.c_error;
  Trees trees(coefficients, 0, &nodes);
  TimeOrder found;
  while (found.order < most) {
    trees.check_next(any_number);
    if (!trees.all_hold()) {
      found.violated = trees.worst_condition();
      break;
    }
    ++found.order;
  }
  return found;
}

// All trees are looked at up to so many nodes.
constexpr int most_nodes = 11;

// order_report looks beyond `order`, for how much further the conditions hold.
bool has_order(const Tableau& tableau, int order) {
  const RoundedCoefficients coefficients(tableau);
  Trees trees(coefficients, simplifying_C(coefficients, coefficients.A(coefficients.ones())));
  for (int nodes = 1; nodes <= std::min(order, most_nodes); ++nodes) {
    trees.check_next(any_number);
    if (!trees.all_hold()) return false;
  }
  TreeHulls hulls(coefficients);
  for (int nodes = most_nodes + 1; nodes <= order; ++nodes) {
    const std::optional<TreeHulls::Conditions> conditions = hulls.check(nodes);
    if (!conditions) return true;  // no condition is known to fail
    if (!conditions->violated.empty()) return false;
  }
  return true;
}

namespace {

void check_order(const Tableau& tableau, int claimed, const std::string& pointer) {
  if (claimed == 0 || has_order(tableau, claimed)) return;
  const OrderReport report = order_report(tableau, std::min(claimed, most_nodes));
  throw InputError(pointer, fmt::format("claims order {}, but the order is {}: {}", claimed, report.order, report.how));
}

// Claimed orders are checked whenever a tableau is read from JSON.
void check_claimed_orders(const Tableau& tableau, const std::string& where) {
  check_order(tableau, tableau.claimed_order, where + "/order");
  if (tableau.embedded_order == 0) return;
  Tableau embedded = tableau;
  embedded.b = tableau.b_embedded, embedded.b_error = tableau.b_embedded_error;
  check_order(embedded, tableau.embedded_order, where + "/embedded_order");
}
const bool registered = (tableau_checks().push_back(check_claimed_orders), true);

}  // namespace

}  // namespace daelab
