#include "analysis/dae_orders.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "analysis/rounded_coefficients.hpp"
#include "core/base/exact.hpp"
#include "core/base/interrupted.hpp"
#include "core/integration/predicted_orders.hpp"
#include "core/solvers/dense.hpp"

namespace daelab {
namespace {

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

// A below y, `constraint` below z, which is A or its shifted rows, and the inverse W.
struct Products {
  RoundedCoefficients A, constraint, W;
  const char* constraint_name;
  const char* constraint_leaf;

  DaeWeights index_two() const {
    DaeWeights weights{.b = &A};
    weights.at(Vertex::y, Vertex::y) = DaeWeights::Operator{&A, "A", "c"};
    weights.at(Vertex::z, Vertex::y) = DaeWeights::Operator{&constraint, constraint_name, constraint_leaf};
    weights.of_root(Vertex::z) = weights.at_end(Vertex::z) = {{&W, "W"}};
    return weights;
  }
  DaeWeights index_three() const {
    DaeWeights weights{.b = &A};
    for (const Vertex parent : {Vertex::y, Vertex::z, Vertex::u})
      for (const Vertex child : {Vertex::y, Vertex::z}) weights.at(parent, child) = DaeWeights::Operator{&A, "A", "c"};
    weights.of_root(Vertex::u) = {{&W, "W"}, {&W, "W"}};
    weights.at_end(Vertex::u) = {{&W, "W"}};
    return weights;
  }
};

LocalDaeOrders local_orders(const Products& products, int most) {
  const DaeWeights weights = products.index_two();
  DaeConditionSearch conditions(2, weights, Trees::without_repetitions);
  return {conditions.of(Vertex::y, most), without_last_chains(conditions, most), conditions.of(Vertex::z, most)};
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

bool is_one(const Real100& R) { return !decays(R) && abs(R) < 1 + Real100("1e-12"); }

DaeOrders index_one(const Tableau& t, const Products& products, int order) {
  DaeOrders found{.index = 1, .y = order, .is_exact_y = true};
  if (t.stiffly_accurate()) {
    found.z = order, found.is_exact_z = true;
    found.how = "y: trees of ordinary differential equations; z: the step end is a stage [HW96, Sec. VI.1]";
    return found;
  }
  const Real100 R = carried_on(t, products);
  const DaeWeights weights = products.index_two();
  DaeConditionSearch conditions(2, weights, Trees::without_repetitions, false);
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

// z_(n+1) = R z_n + O(h^q) + O(d_n/h) with d_n = g(y_n), d_(n+1) = R d_n + O(h^(r+1)), or 0 if the step end is a stage.
// R = 1 adds all of them up; R = -1 cancels what is smooth, but d_n changes its sign as z does.
std::optional<int> undamped_order_of_z(const Tableau& t, const LocalDaeOrders& local, bool adds_up) {
  const int lost = adds_up ? 1 : 0, of_z = local.z.order + 1 - lost, of_d = local.y.order - 1 - lost;
  const int order = t.stiffly_accurate() ? of_z : std::min(of_z, of_d);
  return order >= 0 ? std::optional(order) : std::nullopt;
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
  if (!decays(R)) {
    found.z = undamped_order_of_z(t, local, adds_up);
    return found;
  }
  found.z = std::min(*found.y, local.z.order + 1), found.is_exact_z = local.z.is_exact || *found.z == *found.y;
  if (!t.stiffly_accurate()) found.z = std::min(*found.z, local.y.order);
  return found;
}

// More trees take longer than a card may.
constexpr int most_order_of_index_three = 6;

DaeOrders without_theorem(const std::string& reason) { return {.index = 3, .how = "no theorem: " + reason}; }

IndexThreeConditions local_of_index_three(const Products& products, int most) {
  const DaeWeights weights = products.index_three();
  DaeConditionSearch search(3, weights, Trees::without_repetitions);
  return {search.of(Vertex::y, most), search.of(Vertex::z, most), search.of(Vertex::u, most)};
}

// The theorem of [Jay95] for stiffly accurate methods with B(p), C(q), D(r), q >= 2. Trees say what it starts from;
// they do not decide alone, because errors of z off the hidden constraint enter u of the next step divided by h.
std::vector<DaeOrders> index_three(const Tableau& t, const Products& products, const OrderReport& conditions) {
  const int p = conditions.quadrature_order, q = conditions.stage_order, r = conditions.D;
  if (t.explicit_first_stage()) return {without_theorem("the first stage is explicit, so that A has no inverse")};
  if (q < 2) return {without_theorem("stage order 1, and errors of stages are divided by h in u")};
  const IndexThreeConditions local =
      local_of_index_three(products, std::min(conditions.order, most_order_of_index_three));
  const std::string trees = fmt::format("local conditions: {}; {}; {}", explained("y", local.y),
                                        explained("z", local.z), explained("u", local.u));
  if (!t.stiffly_accurate()) return {without_theorem("the step end is no stage; " + trees)};
  const auto found = [&](bool linear) {
    const int of_products = linear ? 2 * q - 1 : 2 * q - 2;
    return DaeOrders{.index = 3,
                     .linear_in_u = linear,
                     .y = std::max(q, std::min({p, of_products, q + r})),
                     .z = q,
                     .u = q - 1,
                     .how = fmt::format("B({}), C({}), D({}), stiffly accurate: min(p, 2q - {}, q + r), q, q - 1 "
                                        "[Jay95]; {}",
                                        p, q, r, linear ? 1 : 2, trees)};
  };
  return {found(false), found(true)};
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

bool decays(const Real100& R) { return abs(R) < 1 - Real100("1e-12"); }

DaeConditions without_last_chains(DaeConditionSearch& conditions, int most) {
  const DaeForest& forest = conditions.forest();
  return conditions.of(Vertex::y, most, [&](const DaeTree& tree, int order) {
    return tree.order == order ? !forest.is_algebraic_chain(tree)
                               : tree.order == order - 1 && forest.is_algebraic_chain(tree);
  });
}

LocalDaeOrders index_two_conditions(const Tableau& tableau, int most) {
  return local_orders(implicit_products(tableau), most);
}

IndexThreeConditions index_three_conditions(const Tableau& tableau, int most) {
  return local_of_index_three(implicit_products(tableau), most);
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
  std::ranges::copy(index_three(tableau, products, conditions), std::back_inserter(found));
  return found;
}

}  // namespace daelab
