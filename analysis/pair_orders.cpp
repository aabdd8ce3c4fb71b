#include "analysis/pair_orders.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/base/exact.hpp"
#include "core/solvers/dense.hpp"

namespace daelab {
namespace {

// Up to this order all trees are looked at: some milliseconds.
constexpr int most_order_by_trees = 5;
constexpr int most_assumption = 24;

bool is_zero(const Real100& x) { return vanishes(x, 0); }
bool is_zero(const Vector<Real100>& x) {
  return std::ranges::all_of(x, [](const Real100& entry) { return is_zero(entry); });
}

Vector<Real100> power(const Vector<Real100>& c, int k) {
  Vector<Real100> result = Vector<Real100>::Ones(c.size());
  for (int i = 0; i < k; ++i) result = result.cwiseProduct(c);
  return result;
}

// The largest k up to which it holds.
template <class Holds>
int largest(const Holds& holds) {
  int k = 0;
  while (k < most_assumption && holds(k + 1)) ++k;
  return k;
}

Vector<Real100> product(const Matrix<Real100>& A, const Vector<Real100>& x) { return A.lazyProduct(x); }

int largest_C(const Matrix<Real100>& A, const Vector<Real100>& c) {
  return largest(
      [&](int k) { return is_zero(Vector<Real100>(Real100(k) * product(A, power(c, k - 1)) - power(c, k))); });
}

int largest_D(const Matrix<Real100>& A, const Vector<Real100>& b, const Vector<Real100>& c) {
  const Matrix<Real100> transposed = A.transpose();
  return largest([&](int k) {
    const Vector<Real100> left = Real100(k) * product(transposed, b.cwiseProduct(power(c, k - 1)));
    return is_zero(Vector<Real100>(left - b + b.cwiseProduct(power(c, k))));
  });
}

// Exact coefficients as those of a tableau with the pair's weights.
RoundedCoefficients coefficients(const Matrix<Real100>& A, const Vector<Real100>& b) {
  Tableau t;
  t.A = A, t.b = b;
  return RoundedCoefficients(t);
}

// N^-1 from the stages on the constraint, 2 to s, to those of u, 1 to s - 1.
Matrix<Real100> inverse_of_product(const PairForm& pair) {
  const Index s = pair.stages(), n = s - 1;
  const Matrix<Real100> N = pair.A.bottomRows(n).lazyProduct(pair.conjugate.leftCols(n));
  Matrix<Real100> K = Matrix<Real100>::Zero(s, s);
  for (Index k = 0; k < n; ++k) K.col(k + 1).head(n) = dense::solve(N, Vector<Real100>::Unit(n, k));
  return K;
}

// What the stages lack; "": nothing.
std::string lack_of_stages(const PairForm& pair) {
  const Vector<Real100> c = pair.A.rowwise().sum(), half = power(c, 2) / Real100(2);
  const auto difference = [&](const char* what, const Vector<Real100>& found) {
    const Real100 residual = (found - half).cwiseAbs().maxCoeff();
    return is_zero(residual) ? std::string() : fmt::format("{} = c^2/2 fails by {}", what, to_text(residual, 3));
  };
  const std::string of_positions = difference("a c", product(pair.A, c));
  if (!of_positions.empty()) return of_positions;
  return difference("a â 1", product(pair.A, pair.conjugate.rowwise().sum()));
}

std::string text_of_assumptions(const PairOrders& o) {
  return fmt::format("B({}); C({}), D({}) of a; C({}), D({}) of â", o.B, o.C, o.D, o.conjugate_C, o.conjugate_D);
}

void set_assumptions(const PairForm& pair, PairOrders& orders) {
  const Vector<Real100> c = pair.A.rowwise().sum();
  orders.B = largest([&](int k) { return is_zero(Real100(k * pair.b.dot(power(c, k - 1)) - 1)); });
  orders.C = largest_C(pair.A, c), orders.D = largest_D(pair.A, pair.b, c);
  orders.conjugate_C = largest_C(pair.conjugate, c), orders.conjugate_D = largest_D(pair.conjugate, pair.b, c);
}

bool has_assumptions_of_lobatto(const PairOrders& o, int s) {
  return o.B >= 2 * s - 2 && o.C >= s && o.D >= s - 2 && o.conjugate_C >= s - 2 && o.conjugate_D >= s;
}

}  // namespace

PairConditions pair_conditions(const PairForm& pair, int most) {
  const RoundedCoefficients a = coefficients(pair.A, pair.b), conjugate = coefficients(pair.conjugate, pair.b),
                            inverse = coefficients(inverse_of_product(pair), pair.b);
  DaeWeights weights{.b = &a};
  for (const Vertex parent : {Vertex::y, Vertex::z, Vertex::u})
    weights.at(parent, Vertex::y) = DaeWeights::Operator{&a, "a", "c"};
  for (const Vertex parent : {Vertex::y, Vertex::z})
    weights.at(parent, Vertex::z) = DaeWeights::Operator{&conjugate, "â", "ĉ"};
  weights.of_root(Vertex::u) = {{&inverse, "K"}};
  const Index last = pair.stages() - 1;
  weights.finish = [&](const DaeTree& tree, Rounded& Phi) {
    if (tree.root != Vertex::u) return;
    const Real100 wanted = 1 / ((tree.order + 1) * tree.gamma);
    Phi.value[last] = 0;
    Phi.value[last] = (wanted - pair.b.dot(Phi.value)) / pair.b[last];
  };
  DaeConditionSearch search(3, weights, Trees::all);
  return {search.of(Vertex::y, most), search.of(Vertex::z, most)};
}

PairOrders pair_orders(const PairForm& pair) {
  PairOrders orders;
  set_assumptions(pair, orders);
  const int s = static_cast<int>(pair.stages());
  orders.how = text_of_assumptions(orders);
  if (const std::string lack = lack_of_stages(pair); !lack.empty()) {
    orders.how += fmt::format("; errors of stages in u do not vanish with h: {}", lack);
    return orders;
  }
  const PairConditions local = pair_conditions(pair, most_order_by_trees);
  const DaeConditions& first = local.z.order < local.y.order ? local.z : local.y;
  orders.order = first.order, orders.is_exact = first.is_exact;
  orders.how += fmt::format("; {}; {}", explained("y", local.y), explained("z", local.z));
  if (!orders.is_exact && has_assumptions_of_lobatto(orders, s) && 2 * s - 2 > orders.order) {
    orders.order = 2 * s - 2, orders.is_exact = orders.B == 2 * s - 2;  // b^T c^p is a tree, too
    orders.how += fmt::format("; from these assumptions order 2s - 2 = {}", orders.order);
  }
  orders.how += " [Jay96]";
  return orders;
}

DaeOrders dae_orders_of(const PairOrders& orders) {
  DaeOrders found{.index = 3, .how = orders.how};
  if (orders.order == 0) return found;
  found.y = found.z = orders.order, found.is_exact_y = found.is_exact_z = orders.is_exact;
  return found;
}

}  // namespace daelab
