#include "analysis/dae_orders.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <map>

#include "analysis/affine_hull.hpp"
#include "analysis/dae_trees.hpp"
#include "analysis/rounded_coefficients.hpp"
#include "core/base/exact.hpp"
#include "core/base/interrupted.hpp"
#include "core/integration/predicted_orders.hpp"
#include "core/solvers/dense.hpp"

namespace daelab {
namespace {

// M^-1 as the matrix of a tableau, whose rounding is that of M to first order: |M^-1| |dM| |M^-1|.
Tableau inverse(const Matrix<Real100>& M, const Matrix<Real100>& M_error, const Tableau& t) {
  const Index s = M.rows();
  Tableau inverse;
  inverse.b = t.b, inverse.b_error = t.b_error, inverse.digits = t.digits;
  inverse.A = Matrix<Real100>(s, s);
  for (Index k = 0; k < s; stop_where_interrupted(), ++k)
    inverse.A.col(k) = dense::solve(M, Vector<Real100>::Unit(s, k));
  const Matrix<Real100> size = inverse.A.cwiseAbs();
  inverse.A_error = size * M_error * size;
  return inverse;
}

Matrix<Real100> rounding_of(const Tableau& t) {
  return t.digits > 0 ? t.A_error : Matrix<Real100>(Matrix<Real100>::Zero(t.stages(), t.stages()));
}

// Without the explicit first stage, at which z is known.
Tableau inverse_of_implicit_part(const Tableau& t) {
  if (!t.explicit_first_stage()) return inverse(t.A, rounding_of(t), t);
  const Index s = t.stages(), n = s - 1;
  Tableau part = inverse(t.A.bottomRightCorner(n, n), rounding_of(t).bottomRightCorner(n, n), t);
  Tableau whole = part;
  whole.A = whole.A_error = Matrix<Real100>::Zero(s, s);
  whole.A.bottomRightCorner(n, n) = part.A, whole.A_error.bottomRightCorner(n, n) = part.A_error;
  return whole;
}

// Rows 2, ..., s of A and b: what g(Y_(i+1)) = 0 asks of the stages.
Tableau shifted(const Tableau& t) {
  const Index s = t.stages();
  Tableau rows = t;
  rows.A.topRows(s - 1) = t.A.bottomRows(s - 1);
  rows.A.row(s - 1) = t.b.transpose();
  if (t.digits == 0) return rows;
  rows.A_error.topRows(s - 1) = t.A_error.bottomRows(s - 1);
  rows.A_error.row(s - 1) = t.b_error.transpose();
  return rows;
}

// Products of the weights of trees: A below y, `constraint` below z, which is A or its shifted rows, and the inverse W.
struct Products {
  RoundedCoefficients A, constraint, W;
  const char* constraint_name;
  const char* constraint_leaf;
};

// The forest stops growing at this number of trees, which takes half a second.
constexpr std::size_t most_trees = 6000;

class Conditions {
 public:
  // Pruned: trees whose weights are affine combinations of others give no new conditions as subtrees; a forest that is
  // not pruned has all trees.
  explicit Conditions(const Products& products, bool pruned = true)
      : products_(products), forest_(2, [this, pruned](std::size_t place) { return weigh(place) || !pruned; }) {}

  const DaeForest& forest() const { return forest_; }

  // Looks at the trees with this root in ascending order until one fails; `asks` says which belong to an order.
  DaeConditions of(Vertex root, int most, const std::function<bool(const DaeTree&, int order)>& asks) {
    DaeConditions found;
    while (found.order < most && !found.is_exact) {
      const int order = found.order + 1;
      if (!grow_to(root == Vertex::y ? order : order + 1)) break;
      for (std::size_t i = 0; i < Phi_.size() && !found.is_exact; ++i)
        if (forest_[i].root == root && forest_[i].order <= order && asks(forest_[i], order)) compare(i, order, found);
      if (!found.is_exact) found.order = order;
    }
    return found;
  }

 private:
  // Adds trees up to an order of those with a root y. False if there are too many.
  bool grow_to(int order) {
    while (grown_ < order && Phi_.size() < most_trees) forest_.grow_to(++grown_);
    return grown_ >= order;
  }

  // Whether the weight of a new tree is independent of those of the same kind and order, each times its gamma.
  bool weigh(std::size_t place) {
    const DaeTree& tree = forest_[place];
    Phi_.push_back(weight(tree));
    Rounded scaled = Phi_.back();
    scaled.value *= tree.gamma, scaled.error *= tree.gamma;
    return hulls_[{tree.root, tree.order}].take_in(scaled, products_.A.exact());
  }

  Rounded weight(const DaeTree& tree) const {
    const bool algebraic = tree.root == forest_.algebraic();
    Rounded product = products_.A.ones();
    for (const std::size_t i : tree.children)
      product = products_.A.times(product, algebraic                                ? products_.constraint.A(Phi_[i])
                                           : forest_[i].root == forest_.algebraic() ? Phi_[i]
                                                                                    : products_.A.A(Phi_[i]));
    return algebraic ? products_.W.A(product) : product;
  }

  void compare(std::size_t i, int order, DaeConditions& found) const {
    const DaeTree& tree = forest_[i];
    if (tree.order == order) ++found.checked;
    const bool algebraic = tree.root == forest_.algebraic();
    const auto [value, error] = products_.A.sum(algebraic ? products_.W.A(Phi_[i]) : Phi_[i]);
    const Real100 wanted = 1 / tree.gamma, residual = abs(value - wanted);
    if (vanishes(residual, error)) return;
    found.is_exact = true, found.residual = residual;
    found.violated = fmt::format("b^T({}) = {}, must be {}", algebraic ? "W(" + text(tree) + ")" : text(tree),
                                 to_text(value, 12), exact_text(wanted));
  }

  // Phi, leaves first: "c * W(c^3)".
  std::string text(const DaeTree& tree) const {
    const bool algebraic = tree.root == forest_.algebraic();
    std::vector<std::string> factors;
    std::size_t leaves = 0;
    for (const std::size_t i : tree.children) {
      const DaeTree& child = forest_[i];
      if (child.children.empty())
        ++leaves;
      else if (child.root == forest_.algebraic())
        factors.push_back(text(child));
      else
        factors.push_back(fmt::format("{}({})", algebraic ? products_.constraint_name : "A", text(child)));
    }
    const char* leaf = algebraic ? products_.constraint_leaf : "c";
    if (leaves > 0) factors.insert(factors.begin(), leaves == 1 ? leaf : fmt::format("{}^{}", leaf, leaves));
    const std::string product = factors.empty() ? "1" : fmt::format("{}", fmt::join(factors, " * "));
    return algebraic ? fmt::format("W({})", product) : product;
  }

  const Products& products_;
  std::vector<Rounded> Phi_;  // of all trees
  std::map<std::pair<Vertex, int>, AffineHull> hulls_;
  int grown_ = 0;
  DaeForest forest_;
};

LocalDaeOrders local_orders(const Products& products, int most) {
  Conditions conditions(products);
  const DaeForest& forest = conditions.forest();
  LocalDaeOrders local;
  const auto last = [](const DaeTree& tree, int order) { return tree.order == order; };
  local.y = conditions.of(Vertex::y, most, last);
  local.projected_y = conditions.of(Vertex::y, most, [&](const DaeTree& tree, int order) {
    return tree.order == order ? !forest.is_algebraic_chain(tree)
                               : tree.order == order - 1 && forest.is_algebraic_chain(tree);
  });
  local.z = conditions.of(Vertex::z, most, last);
  return local;
}

Products implicit_products(const Tableau& t) {
  return {RoundedCoefficients(t), RoundedCoefficients(t), RoundedCoefficients(inverse_of_implicit_part(t)), "A", "c"};
}

// R(infinity), as the value that z takes from the step before.
Real100 carried_on(const Tableau& t, const Products& products) {
  const Rounded ones = products.A.ones();
  if (t.explicit_first_stage()) return -products.W.A({t.A.col(0), ones.error}).value[t.stages() - 1];
  return 1 - products.A.sum(products.W.A(ones)).first;
}

std::string explained(const char* what, const DaeConditions& c) {
  return c.is_exact
             ? fmt::format("{} of order {} fails by {}: {}", what, c.order + 1, to_text(c.residual, 3), c.violated)
             : fmt::format("all {} conditions of {} up to order {} hold", c.checked, what, c.order);
}

// |R| < 1, beyond doubt.
bool decays(const Real100& R) { return abs(R) < 1 - Real100("1e-12"); }

bool is_one(const Real100& R) { return !decays(R) && abs(R) < 1 + Real100("1e-12"); }

DaeOrders index_one(const Tableau& t, const Products& products, int order) {
  DaeOrders found{.index = 1, .y = order, .is_exact_y = true};
  if (t.stiffly_accurate()) {
    found.z = order, found.is_exact_z = true;
    found.how = "y: trees of ordinary differential equations; z: the step end is a stage [HW96, Sec. VI.1]";
    return found;
  }
  const Real100 R = carried_on(t, products);
  Conditions conditions(products, false);
  const DaeForest& forest = conditions.forest();
  // The conditions of z on index 1 are those of the trees [[t1 .. tm]_z]_y with trees ti without z.
  const DaeConditions z = conditions.of(Vertex::y, std::min(order, 6), [&](const DaeTree& tree, int at) {
    return tree.order == at && forest.is_algebraic_chain(tree) &&
           forest.has_differential_children(forest[tree.children[0]]);
  });
  if (decays(R) || is_one(R)) {
    found.z = std::min(order, z.order + (is_one(R) && R > 0 ? 0 : 1));
    found.is_exact_z = z.is_exact || *found.z == order;
  }
  found.how = fmt::format("y: trees of ordinary differential equations; {}, R(infinity) = {} [HW96, Sec. VI.1]",
                          explained("z", z), to_text(R, 3));
  return found;
}

DaeOrders index_two(const Tableau& t, const Products& products, const OrderReport& conditions) {
  const LocalDaeOrders local = local_orders(products, conditions.order);
  const Real100 R = carried_on(t, products);
  // R g(y_n) is left of an error off the constraints, which R = 1 adds up.
  const bool adds_up = is_one(R) && R > 0;
  const DaeConditions& y = adds_up ? local.y : local.projected_y;
  DaeOrders found{.index = 2};
  found.how = fmt::format("{}; {}", explained("y", y), explained("z", local.z));
  if (!t.stiffly_accurate()) found.how += fmt::format("; R(infinity) = {}", to_text(R, 3));
  found.how += " [HLR89, Chaps. 4, 5]";
  if (!decays(R) && !is_one(R)) return found;
  found.y = y.order, found.is_exact_y = y.is_exact || (y.order == conditions.order && conditions.is_exact);
  if (!decays(R)) return found;
  found.z = std::min(*found.y, local.z.order + 1), found.is_exact_z = local.z.is_exact || *found.z == *found.y;
  if (!t.stiffly_accurate()) found.z = std::min(*found.z, local.y.order);
  return found;
}

// What the theory gives every such method. Errors of z off the hidden constraint enter u of the next step divided by h,
// so local conditions do not decide. [HLR89, Chap. 6; Jay, BIT 33, 1993]
DaeOrders index_three(const OrderReport& conditions) {
  const int q = conditions.stage_order;
  return {.index = 3,
          .y = q,
          .z = q,
          .u = q - 1,
          .how = fmt::format("stiffly accurate, stage order {}: bounds for all such methods [HLR89, Chap. 6]", q)};
}

DaeOrders half_explicit(const Tableau& t) {
  const LocalDaeOrders local = half_explicit_conditions(t, 8);
  return {.index = 2,
          .half_explicit = true,
          .y = local.y.order,
          .is_exact_y = local.y.is_exact,
          .how = explained("y", local.y) + " [BH93]"};
}

// Inverses of larger matrices in 100 digits would take seconds.
constexpr Index most_stages = 40;

// Each stage determines the multipliers of the one before.
bool is_half_explicit(const Tableau& t) {
  if (!t.is_explicit() || t.c[0] != 0 || t.stages() > most_stages) return false;
  const Tableau rows = shifted(t);
  for (Index i = 0; i < t.stages(); ++i)
    if (rows.A(i, i) == 0) return false;
  return true;
}

bool solves_index_two(const Tableau& t) {
  return t.stages() <= most_stages && reaches_higher_index(t) && (!t.explicit_first_stage() || t.stiffly_accurate());
}

}  // namespace

LocalDaeOrders index_two_conditions(const Tableau& tableau, int most) {
  return local_orders(implicit_products(tableau), most);
}

LocalDaeOrders half_explicit_conditions(const Tableau& tableau, int most) {
  const Tableau rows = shifted(tableau);
  const Matrix<Real100> error = rounding_of(rows);
  return local_orders({RoundedCoefficients(tableau), RoundedCoefficients(rows),
                       RoundedCoefficients(inverse(rows.A, error, tableau)), "H", "e"},
                      most);
}

std::vector<DaeOrders> dae_orders(const Tableau& tableau, const OrderReport& conditions) {
  if (is_half_explicit(tableau)) return {half_explicit(tableau)};
  if (!solves_index_two(tableau)) return {};
  const Products products = implicit_products(tableau);
  std::vector<DaeOrders> found{index_one(tableau, products, conditions.order),
                               index_two(tableau, products, conditions)};
  if (tableau.stiffly_accurate() && !tableau.explicit_first_stage() && conditions.stage_order >= 2)
    found.push_back(index_three(conditions));
  return found;
}

}  // namespace daelab
