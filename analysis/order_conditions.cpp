#include "analysis/order_conditions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "core/exact.hpp"

namespace daelab {
namespace {

using Vec = Vector<Real100>;

bool vanishes(const Real100& x) { return abs(x) < Real100("1e-70"); }
bool vanishes(const Vec& x) { return x.size() == 0 || vanishes(x.cwiseAbs().maxCoeff()); }

// The largest k <= limit such that condition(1), ..., condition(k) hold.
template <class Condition>
int largest(int limit, const Condition& condition) {
  int k = 0;
  while (k < limit && condition(k + 1)) ++k;
  return k;
}

Vec power(const Vec& c, int k) {
  return c.unaryExpr([k](const Real100& x) -> Real100 { return pow(x, k); });
}

// No quadrature on s nodes exceeds order 2s; C and D are cut there, for the case that a method of
// one explicit stage satisfies all of them.
void set_simplifying_assumptions(const Tableau& t, const Vec& c, OrderReport& report) {
  const int limit = static_cast<int>(2 * t.stages()) + 1;
  report.quadrature_order =
      largest(limit, [&](int k) { return vanishes(t.b.dot(power(c, k - 1)) - Real100(1) / k); });
  report.C = largest(limit, [&](int k) {
    return vanishes(Vec(t.A * power(c, k - 1) - power(c, k) / Real100(k)));
  });
  report.D = largest(limit, [&](int k) {
    const Vec weighted = t.b.cwiseProduct(power(c, k - 1));
    const Vec right = t.b.cwiseProduct(Vec::Ones(c.size()) - power(c, k)) / Real100(k);
    return vanishes(Vec(t.A.transpose() * weighted - right));
  });
  report.stage_order = std::min(report.C, report.quadrature_order);
}

// Rooted trees by increasing number of nodes. A tree is a root with a multiset of smaller trees:
//
//   Phi([t1 .. tm]) = A Phi(t1) * ... * A Phi(tm)  (componentwise),
//   gamma([t1 .. tm]) = nodes * gamma(t1) * ... * gamma(tm).
class Trees {
 public:
  Trees(const Tableau& t, int C) : t_(t), C_(C) {}

  // Checks the conditions of the next order. Returns false when there are more trees than `most`;
  // largest_residual() then covers those seen.
  bool check_next(std::size_t most) {
    ++nodes_;
    most_ = most;
    count_ = 0;
    residual_ = 0;
    children_.clear();
    grown_.clear();
    attach(Vec::Ones(t_.stages()), Real100(1), nodes_ - 1, subtrees_.size(), true);
    subtrees_.insert(subtrees_.end(), grown_.begin(), grown_.end());
    return count_ <= most_;
  }

  const Real100& largest_residual() const { return residual_; }
  // "b^T(c * A(c)) = 0.166666666667, must be 1/8"
  const std::string& worst_condition() const { return condition_; }

 private:
  struct Subtree {
    int nodes;
    Real100 gamma;
    Vec A_Phi;
    std::vector<std::size_t> children;
  };

  // Phi, leaves first.
  std::string weight(const std::vector<std::size_t>& children) const {
    std::vector<std::string> factors;
    std::size_t leaves = 0;
    for (const std::size_t i : children)
      if (subtrees_[i].nodes == 1)
        ++leaves;
      else
        factors.push_back("A(" + weight(subtrees_[i].children) + ")");
    if (leaves > 0) factors.insert(factors.begin(), leaves == 1 ? "c" : fmt::format("c^{}", leaves));
    return factors.empty() ? "1" : fmt::format("{}", fmt::join(factors, " * "));
  }

  // Adds children with `rest` nodes in all, in an order that finds every multiset once: each child
  // stands before `end` in the list, the next one not after it.
  void attach(const Vec& Phi, const Real100& gamma, int rest, std::size_t end, bool only_leaves) {
    if (count_ > most_) return;
    if (rest == 0) return finish(Phi, gamma * nodes_, only_leaves);
    for (std::size_t i = 0; i < end; ++i) {
      const Subtree& child = subtrees_[i];
      if (child.nodes > rest) break;
      children_.push_back(i);
      attach(Phi.cwiseProduct(child.A_Phi), gamma * child.gamma, rest - child.nodes, i + 1,
             only_leaves && child.nodes == 1);
      children_.pop_back();
    }
  }

  void finish(const Vec& Phi, const Real100& gamma, bool only_leaves) {
    ++count_;
    compare(t_.b.dot(Phi), 1 / gamma);
    // C(q) says A c^(k-1) = c^k / k: as a subtree, a bush of k <= q nodes acts like k leaves.
    const bool replaceable = only_leaves && nodes_ > 1 && nodes_ <= C_;
    if (!replaceable) grown_.push_back({nodes_, gamma, t_.A * Phi, children_});
  }

  void compare(const Real100& found, const Real100& wanted) {
    const Real100 residual = abs(found - wanted);
    if (residual <= residual_) return;
    residual_ = residual;
    if (!vanishes(residual))
      condition_ = fmt::format("b^T({}) = {}, must be {}", weight(children_), to_text(found, 12), exact_text(wanted));
  }

  const Tableau& t_;
  int C_;
  int nodes_ = 0;
  std::size_t most_ = 0, count_ = 0;
  Real100 residual_ = 0;
  std::string condition_;
  std::vector<std::size_t> children_;  // of the tree in the making
  std::vector<Subtree> subtrees_;  // by increasing number of nodes
  std::vector<Subtree> grown_;     // those of the present order
};

// Sets order, residual and is_exact from the trees.
void check_trees(const Tableau& t, int max_order, OrderReport& report) {
  // Order 11 has 1842 trees; a number like that, cheap in 100 digits, is also the limit beyond.
  const std::size_t few = 2000, any = std::size_t{1} << 40;
  Trees trees(t, report.C);
  while (true) {
    const bool complete = trees.check_next(report.order < max_order ? any : few);
    report.is_exact = !vanishes(trees.largest_residual());
    if (report.is_exact) report.residual = trees.largest_residual(), report.violated = trees.worst_condition();
    if (report.is_exact || !complete) return;
    ++report.order;
  }
}

std::string description(const OrderReport& r) {
  const std::string reduction =
      r.C > 1 ? fmt::format(" (subtrees reduced by C({}))", r.C) : std::string();
  if (r.is_exact)
    return fmt::format("all rooted trees with up to {} nodes{}; order {} fails with residual {}: {}",
                       r.order + 1, reduction, r.order + 1, to_text(r.residual, 3), r.violated);
  return fmt::format(
      "all rooted trees with up to {} nodes{}; a lower bound, higher orders have too "
      "many trees",
      r.order, reduction);
}

}  // namespace

OrderReport order_report(const Tableau& tableau, int max_order) {
  OrderReport report;
  const Vec c = tableau.A.rowwise().sum();
  set_simplifying_assumptions(tableau, c, report);
  check_trees(tableau, max_order, report);
  report.how = description(report);
  return report;
}

namespace {

void check_order(const Tableau& tableau, int claimed, const std::string& pointer) {
  if (claimed == 0) return;
  const OrderReport report = order_report(tableau, claimed);
  if (report.order >= claimed) return;
  throw InputError(pointer, fmt::format("claims order {}, but the order is {}: {}", claimed,
                                        report.order, report.how));
}

// Claimed orders are checked whenever a tableau is read from JSON.
void check_claimed_orders(const Tableau& tableau, const std::string& where) {
  check_order(tableau, tableau.claimed_order, where + "/order");
  if (tableau.embedded_order == 0) return;
  Tableau embedded = tableau;
  embedded.b = tableau.b_embedded;
  check_order(embedded, tableau.embedded_order, where + "/embedded_order");
}
const bool registered = (tableau_checks().push_back(check_claimed_orders), true);

}  // namespace

}  // namespace daelab
