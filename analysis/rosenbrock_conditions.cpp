#include "analysis/rosenbrock_conditions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "analysis/affine_hull.hpp"
#include "core/base/exact.hpp"
#include "core/base/input_error.hpp"

namespace daelab {
namespace {

constexpr int most_order = 7, most_w_order = 4;

// A vector with the sum of the sizes of its terms, which rounding is measured by.
struct Weights {
  Vector<Real100> value, size;
};

Vector<Real100> product(const Matrix<Real100>& A, const Vector<Real100>& x) { return A.lazyProduct(x); }

struct Operator {
  Matrix<Real100> value, size;
  explicit Operator(const Matrix<Real100>& A) : value(A), size(A.cwiseAbs()) {}
  Operator(const Matrix<Real100>& A, const Matrix<Real100>& sizes) : value(A), size(sizes) {}
  Weights operator()(const Weights& x) const { return {product(value, x.value), product(size, x.size)}; }
};

Weights operator*(const Weights& a, const Weights& b) {
  return {a.value.cwiseProduct(b.value), a.size.cwiseProduct(b.size)};
}

// Coefficients of a tableau as they act on weights, and conditions with them.
class Conditions {
 public:
  Conditions(const RosenbrockTableau& t, const Vector<Real100>& b)
      : alpha(t.alpha),
        gamma(t.gamma),
        beta(t.beta()),
        W(inverse_of(beta)),
        b_(b),
        exact_(t.digits == 0),
        unit_(t.digits == 0 ? Real100("1e-60")
                            : Real100(static_cast<int>(t.stages()) * pow(Real100(10), 1 - t.digits))) {}

  Weights ones() const {
    const Vector<Real100> one = Vector<Real100>::Ones(b_.size());
    return {one, one};
  }
  Real100 residual(const Weights& Phi, const Real100& wanted) const { return abs(b_.dot(Phi.value) - wanted); }
  bool holds(const Weights& Phi, const Real100& wanted) const {
    return residual(Phi, wanted) <= unit_ * (1 + b_.cwiseAbs().dot(Phi.size));
  }
  bool exact() const { return exact_; }
  Rounded scaled(const Weights& Phi, const Real100& density) const {
    const Vector<Real100> error =
        exact_ ? Vector<Real100>(Vector<Real100>::Zero(b_.size())) : unit_ * density * Phi.size;
    return {density * Phi.value, error};
  }
  std::string text(const std::string& Phi, const Weights& weights, const Real100& wanted) const {
    return fmt::format("b^T({}) = {}, must be {} (residual {})", Phi, to_text(b_.dot(weights.value), 12),
                       fraction_or_decimal(wanted), to_text(residual(weights, wanted), 3));
  }
  /// Adds one.
  void look(const Weights& Phi, const Real100& wanted, const auto& name, RosenbrockConditions& conditions) const {
    ++conditions.count;
    const Real100 rest = residual(Phi, wanted);
    const bool is_worse = rest > conditions.residual;
    if (is_worse) conditions.residual = rest;
    if (holds(Phi, wanted)) return;
    conditions.hold = false;
    if (is_worse) conditions.violated = text(name(), Phi, wanted);
  }

  Operator alpha, gamma, beta, W;

 private:
  // Errors of beta become W |error| W of the inverse.
  static Operator inverse_of(const Operator& beta) {
    const Matrix<Real100> inverse = lower_inverse(beta.value), sizes = inverse.cwiseAbs();
    return {inverse, Matrix<Real100>(Matrix<Real100>(sizes.lazyProduct(beta.size)).lazyProduct(sizes))};
  }
  Vector<Real100> b_;
  bool exact_;
  Real100 unit_;
};

Vector<Real100> weights_of(const RosenbrockTableau& t, bool embedded) { return embedded ? t.b_embedded : t.b; }

// "c^2 * alpha(beta(1))" of names of children; a leaf below alpha is c.
std::string product_text(const std::vector<std::string>& children, const char* below) {
  std::vector<std::string> factors;
  std::size_t leaves = 0;
  for (const std::string& child : children) {
    if (child == "1")
      ++leaves;
    else
      factors.push_back(fmt::format("{}({})", below, child));
  }
  if (leaves > 0) factors.insert(factors.begin(), leaves == 1 ? "c" : fmt::format("c^{}", leaves));
  return fmt::format("{}", fmt::join(factors, " * "));
}

// Trees by order, each a multiset of smaller ones. Pruned: trees whose weights are affine combinations of others give
// no new conditions as subtrees.
class IndexOneTrees {
 public:
  IndexOneTrees(const Conditions& conditions, bool pruned) : conditions_(conditions), pruned_(pruned) {}

  void check(int highest, RosenbrockTrees& result) {
    highest_ = highest;
    for (order_ = 1; order_ <= highest; ++order_) {
      result.ordinary.emplace_back(), result.y.emplace_back(), result.z.emplace_back();
      ordinary_ = &result.ordinary.back(), y_ = &result.y.back(), z_ = &result.z.back();
      grown_.clear();
      ordinary_hull_ = y_hull_ = z_hull_ = {};
      if (order_ == 1) finish_y(conditions_.ones(), 1, true, "1");
      add_single_children();
      attach(conditions_.ones(), 1, order_ - 1, trees_.size(), false);
      attach(conditions_.ones(), 1, order_, trees_.size(), true);
      trees_.insert(trees_.end(), grown_.begin(), grown_.end());
    }
  }

 private:
  struct Tree {
    int order;
    bool is_z, is_ordinary;
    Real100 density;
    Weights Phi, below_alpha;
    std::string name;
  };

  void add_single_children() {
    const std::size_t count = trees_.size();
    for (std::size_t i = 0; i < count; ++i) {
      const Tree& child = trees_[i];
      if (child.is_z || child.order != order_ - 1) continue;
      finish_y(conditions_.beta(child.Phi), child.density, child.is_ordinary, fmt::format("beta({})", child.name));
    }
  }

  // Children with `rest` y-vertices in all, two or more of them, each multiset once.
  void attach(const Weights& Phi, const Real100& density, int rest, std::size_t end, bool to_z) {
    if (rest == 0) {
      if (children_.size() >= 2) finish(Phi, density, to_z);
      return;
    }
    for (std::size_t i = 0; i < end; ++i) {
      const Tree& child = trees_[i];
      if (child.order > rest) break;
      if (children_.empty() && child.order == rest) continue;  // it would be alone
      children_.push_back(i);
      attach(Phi * child.below_alpha, density * child.density, rest - child.order, i + 1, to_z);
      children_.pop_back();
    }
  }

  void finish(const Weights& product_of_children, const Real100& density, bool to_z) {
    std::vector<std::string> names;
    bool is_ordinary = true;
    for (const std::size_t i : children_) names.push_back(trees_[i].name), is_ordinary &= trees_[i].is_ordinary;
    const std::string name = product_text(names, "alpha");
    if (!to_z) return finish_y(product_of_children, density, is_ordinary, name);
    const Tree tree = grown(true, false, density, conditions_.W(product_of_children), fmt::format("W({})", name));
    conditions_.look(
        tree.Phi, 1 / tree.density, [&] { return tree.name; }, *z_);
    if (is_new(tree)) grown_.push_back(tree);
  }
  void finish_y(const Weights& Phi, const Real100& density, bool is_ordinary, const std::string& name) {
    const Tree tree = grown(false, is_ordinary, density * order_, Phi, name);
    const auto name_of = [&] { return tree.name; };
    conditions_.look(Phi, 1 / tree.density, name_of, *y_);
    if (is_ordinary) conditions_.look(Phi, 1 / tree.density, name_of, *ordinary_);
    if (is_new(tree)) grown_.push_back(tree);
  }
  // Conditions on ordinary equations follow from trees of such alone.
  bool is_new(const Tree& tree) {
    if (!pruned_ || order_ == highest_) return true;
    const Rounded scaled = conditions_.scaled(tree.Phi, tree.density);
    const bool among_all = (tree.is_z ? z_hull_ : y_hull_).take_in(scaled, conditions_.exact());
    const bool among_ordinary = tree.is_ordinary && ordinary_hull_.take_in(scaled, conditions_.exact());
    return among_all || among_ordinary;
  }
  Tree grown(bool is_z, bool is_ordinary, const Real100& density, const Weights& Phi, const std::string& name) const {
    // Trees of the highest order have no parent.
    return {order_, is_z, is_ordinary, density, Phi, order_ < highest_ ? conditions_.alpha(Phi) : Weights{}, name};
  }

  const Conditions& conditions_;
  bool pruned_;
  int order_ = 0, highest_ = 0;
  AffineHull ordinary_hull_, y_hull_, z_hull_;  // of this order
  std::vector<Tree> trees_, grown_;             // those of lower orders, ascending; of this one
  std::vector<std::size_t> children_;
  RosenbrockConditions *ordinary_ = nullptr, *y_ = nullptr, *z_ = nullptr;
};

// The same for any matrix in the place of the Jacobian: `inexact` trees have it in them.
class InexactTrees {
 public:
  explicit InexactTrees(const Conditions& conditions) : conditions_(conditions) {}

  void check(int highest, RosenbrockTrees& result) {
    for (order_ = 1; order_ <= highest; ++order_) {
      conditions_of_order_ = &result.w.emplace_back();
      grown_.clear();
      if (order_ == 1) finish(conditions_.ones(), 1, true, "1");
      for (const Tree& child : trees_)
        if (child.order == order_ - 1)
          finish(conditions_.gamma(child.Phi), 1, false, fmt::format("gamma({})", child.name));
      if (order_ > 1) attach(conditions_.ones(), 1, order_ - 1, trees_.size());
      trees_.insert(trees_.end(), grown_.begin(), grown_.end());
    }
  }

 private:
  struct Tree {
    int order;
    bool is_exact;
    Real100 density;
    Weights Phi, below_alpha;
    std::string name;
  };

  void attach(const Weights& Phi, const Real100& density, int rest, std::size_t end) {
    if (rest == 0) {
      std::vector<std::string> names;
      bool is_exact = true;
      for (const std::size_t i : children_) names.push_back(trees_[i].name), is_exact &= trees_[i].is_exact;
      return finish(Phi, density, is_exact, product_text(names, "alpha"));
    }
    for (std::size_t i = 0; i < end; ++i) {
      const Tree& child = trees_[i];
      if (child.order > rest) break;
      children_.push_back(i);
      attach(Phi * child.below_alpha, density * child.density, rest - child.order, i + 1);
      children_.pop_back();
    }
  }
  void finish(const Weights& Phi, const Real100& density, bool is_exact, const std::string& name) {
    const Real100 of_tree = density * order_;
    conditions_.look(
        Phi, is_exact ? Real100(1 / of_tree) : Real100(0), [&] { return name; }, *conditions_of_order_);
    grown_.push_back({order_, is_exact, of_tree, Phi, conditions_.alpha(Phi), name});
  }

  const Conditions& conditions_;
  int order_ = 0;
  std::vector<Tree> trees_, grown_;
  std::vector<std::size_t> children_;
  RosenbrockConditions* conditions_of_order_ = nullptr;
};

// The largest order up to which they hold.
int order_of(const std::vector<RosenbrockConditions>& by_order, std::string& beyond) {
  int order = 0;
  for (const RosenbrockConditions& conditions : by_order) {
    if (!conditions.hold) {
      beyond = conditions.violated;
      break;
    }
    ++order;
  }
  return order;
}

}  // namespace

RosenbrockTrees rosenbrock_trees(const RosenbrockTableau& tableau, bool embedded, int highest_order, bool pruned) {
  const Conditions conditions(tableau, weights_of(tableau, embedded));
  RosenbrockTrees result;
  IndexOneTrees(conditions, pruned).check(highest_order, result);
  InexactTrees(conditions).check(std::min(highest_order, most_w_order), result);
  return result;
}

namespace {

// Looks at conditions of orders up to `highest` alone.
RosenbrockOrders orders_up_to(int highest, const RosenbrockTableau& tableau, bool embedded) {
  const RosenbrockTrees trees = rosenbrock_trees(tableau, embedded, highest, true);
  RosenbrockOrders orders;
  orders.ordinary = order_of(trees.ordinary, orders.beyond_ordinary);
  orders.y = order_of(trees.y, orders.beyond_y), orders.z = order_of(trees.z, orders.beyond_z);
  orders.w = std::min(orders.ordinary, order_of(trees.w, orders.beyond_w));
  for (int k = 0; k < orders.ordinary; ++k)
    orders.residuals.push_back(static_cast<double>(trees.ordinary[static_cast<std::size_t>(k)].residual));
  const bool is_damped = abs(rosenbrock_at_infinity(tableau, embedded)) < 1;
  orders.index_1 = is_damped ? std::min(orders.y, orders.z + 1) : 0;
  return orders;
}

}  // namespace

RosenbrockOrders rosenbrock_orders(const RosenbrockTableau& tableau, bool embedded) {
  RosenbrockOrders orders;
  for (int highest = 3; highest <= most_order; ++highest) {
    orders = orders_up_to(highest, tableau, embedded);
    if (orders.ordinary < highest) break;  // more trees decide nothing
  }
  return orders;
}

Real100 rosenbrock_at_infinity(const RosenbrockTableau& tableau, bool embedded) {
  const Conditions conditions(tableau, weights_of(tableau, embedded));
  const Real100 R = 1 - weights_of(tableau, embedded).dot(conditions.W(conditions.ones()).value);
  return conditions.holds(conditions.W(conditions.ones()), 1) ? Real100(0) : R;
}

Real100 prothero_robinson_defect(const RosenbrockTableau& tableau, bool embedded, int m) {
  const Conditions t(tableau, weights_of(tableau, embedded));
  const Weights c = t.alpha(t.ones());
  Weights power = t.ones();
  for (int k = 1; k < m; ++k) power = power * c;
  RosenbrockConditions conditions;
  const auto look = [&](const Weights& Phi, int wanted) {
    t.look(
        Phi, wanted, [] { return ""; }, conditions);
  };
  // m b^T beta^k c^(m-1) = b^T beta^(k-1) c^m, k >= 1, and 1 for k = 0; beta 1 in the place of c for m = 2.
  Weights first = m == 2 ? t.beta(t.ones()) : power, second = power * c;
  look({Real100(m) * first.value, Real100(m) * first.size}, 1);
  for (Index k = 1; k <= tableau.stages(); ++k) {
    first = t.beta(first);
    look({Real100(m) * first.value - second.value, Real100(m) * first.size + second.size}, 0);
    second = t.beta(second);
  }
  return conditions.hold ? Real100(0) : conditions.residual;
}

bool has_index_2_condition(const RosenbrockTableau& tableau) {
  const Conditions t(tableau, tableau.b);
  const Weights c = t.alpha(t.ones());
  return t.holds(t.W(t.W(c * c)), 2);
}

bool has_w_conditions_of_index_1(const RosenbrockTableau& tableau) {
  const Conditions t(tableau, tableau.b);
  const Weights of_c = t.W(t.alpha(t.ones()));
  return t.holds(of_c, 1) && t.holds(t.alpha(of_c), Real100(1) / 2);
}

namespace {

void check_order(int claimed, int found, const std::string& beyond, const std::string& pointer, const char* what) {
  if (claimed > found)
    throw InputError(pointer, fmt::format("claims order {}{}, but the order is {}: {}", claimed, what, found, beyond));
}

std::string beyond_index_1(const RosenbrockTableau& t, const RosenbrockOrders& orders) {
  if (orders.index_1 > 0) return orders.y <= orders.z ? orders.beyond_y : orders.beyond_z;
  return fmt::format("|R(infinity)| = {}, must be below 1",
                     to_text(Real100(abs(rosenbrock_at_infinity(t, false))), 12));
}

void check_embedded(const RosenbrockTableau& t, const std::string& where) {
  if (t.b_embedded.size() == 0) return;
  const RosenbrockOrders orders = orders_up_to(std::max(t.embedded_order, 1), t, true);
  if (orders.ordinary == 0) throw InputError(where + "/embedded_weights", orders.beyond_ordinary);
  check_order(t.embedded_order, orders.ordinary, orders.beyond_ordinary, where + "/embedded_order", "");
}

// Claimed orders are checked whenever a tableau is read.
void check_claimed_orders(const RosenbrockTableau& t, const std::string& where) {
  const RosenbrockOrders orders = orders_up_to(std::max({t.order, t.index_1_order, t.w_order, 1}), t, false);
  if (orders.ordinary == 0) throw InputError(where + "/weights", orders.beyond_ordinary);
  check_order(t.order, orders.ordinary, orders.beyond_ordinary, where + "/order", "");
  check_order(t.w_order, orders.w, orders.beyond_w.empty() ? orders.beyond_ordinary : orders.beyond_w,
              where + "/w_order", " as a W-method");
  check_order(t.index_1_order, orders.index_1, beyond_index_1(t, orders), where + "/index_1_order", " on index 1");
  check_embedded(t, where);
}
const bool registered = (rosenbrock_checks().push_back(check_claimed_orders), true);

}  // namespace

}  // namespace daelab
