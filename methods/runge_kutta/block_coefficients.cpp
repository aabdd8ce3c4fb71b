#include "methods/runge_kutta/block_coefficients.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "core/base/exact.hpp"
#include "methods/runge_kutta/collocation.hpp"

namespace daelab {
namespace {

using Vec = Vector<Real100>;

Vec uniform_zeros(int r) {
  Vec c(r - 1);
  for (int i = 1; i < r; ++i) c[i - 1] = Real100(i) / r;
  return c;
}

// Zeros of T_n moved to [0, 1]; the upper half by symmetry, so that the middle one is exactly 1/2.
Vec chebyshev_zeros(int n) {
  Vec c = Vec::Constant(n, Real100(1) / 2);
  for (int i = 0; i < n / 2; ++i) {
    const Real100 angle = (2 * i + 1) * pi<Real100>() / (2 * n);
    c[i] = (1 - cos(angle)) / 2;
    c[n - 1 - i] = 1 - c[i];
  }
  return c;
}

void check_nodes(const Vec& nodes) {
  const Index r = nodes.size();
  // Two nodes closer than this are the same node written in two ways.
  const Real100 tolerance("1e-80");
  if (r == 0) throw InputError("nodes: there must be at least one");
  for (Index i = 0; i < r; ++i) {
    const auto fail = [&](const char* what) {
      throw InputError(fmt::format("nodes: c_{} = {} {}", i + 1, exact_text(nodes[i]), what));
    };
    if (!(nodes[i] > 0 && nodes[i] <= 1 + tolerance)) fail("is not in (0, 1]; nodes are fractions of the step");
    if (i == 0) continue;
    if (abs(nodes[i] - nodes[i - 1]) <= tolerance) fail("is there twice");
    if (nodes[i] < nodes[i - 1]) fail("is below the one before it; nodes must be ascending");
  }
  if (abs(nodes[r - 1] - 1) > tolerance)
    throw InputError("nodes: the last must be 1, the end of the step, not " + exact_text(nodes[r - 1]));
}

std::string admissible_pairs(int r) {
  std::vector<std::string> pairs;
  for (int j = r; j >= 0; --j)
    for (int k = r - j; k <= r; ++k) pairs.push_back(fmt::format("({},{})", k, j));
  std::string text = fmt::format("allowed for r = {}: 0 <= k <= {}, 0 <= j <= {}, k + j >= {}", r, r, r, r);
  if (r <= 3) text += fmt::format(", that is {}", fmt::join(pairs, " "));
  text += fmt::format("; L-stable with invertible B: ({},{})", r - 1, r);
  return r >= 2 ? text + fmt::format(" ({},{})", r - 2, r) : text;
}

void check_pair(int r, int k, int j) {
  std::string reason;
  if (k < 0 || j < 0)
    reason = "degrees cannot be negative";
  else if (j > r)
    reason = fmt::format("the denominator degree j = {} exceeds the number of nodes {}", j, r);
  else if (k > r)
    reason = fmt::format("the numerator degree k = {} exceeds the number of nodes {}", k, r);
  else if (k + j < r)
    reason = fmt::format("k + j = {}, but with {} nodes the order is at least {}", k + j, r, r);
  if (!reason.empty())
    throw InputError(
        fmt::format("Padé pair (k, j) = ({}, {}) is impossible: {}; {}", k, j, reason, admissible_pairs(r)));
}

Real100 value(const Polynomial& p, const Real100& x) {
  Real100 sum = 0;
  for (Index i = p.size() - 1; i >= 0; --i) sum = sum * x + p[i];
  return sum;
}

// M(x) = r! sum_i q_(r-i) x^i / i!, from Q = sum q_i w^i.
Polynomial matching_polynomial(int r, const Polynomial& Q) {
  Polynomial M = Polynomial::Zero(r + 1);
  Real100 factor = 1;  // r! / i!
  for (int i = r; i >= 0; --i) {
    if (r - i < Q.size()) M[i] = factor * Q[r - i];
    factor *= i;
  }
  return M;
}

// (degree + 1) int_0^x M
Polynomial scaled_integral(const Polynomial& M) {
  Polynomial N = Polynomial::Zero(M.size() + 1);
  for (Index i = 1; i < N.size(); ++i) N[i] = M[i - 1] * M.size() / i;
  return N;
}

// 0 where only round-off is left, as in d_r of Legendre nodes: entries are of size one.
Real100 without_round_off(const Real100& x) { return abs(x) < Real100("1e-90") ? Real100(0) : x; }

// [Li19, eq. (9)]: weights at 0, c_1, ..., c_r that take the derivatives of t, ..., t^r to the
// values c_i^p, and that of t^(r+1) to mu_i. The inverse there holds the Lagrange basis.
void set_weights(BlockCoefficients& block) {
  const Index r = block.r();
  Vec points(r + 1);
  points << Real100(0), block.nodes;
  const Matrix<Real100> basis = lagrange_basis(points);
  block.B.resize(r, r);
  block.d.resize(r);
  for (Index i = 0; i < r; ++i) {
    Vec integrals(r + 1);
    for (Index p = 1; p <= r; ++p) integrals[p - 1] = pow(block.nodes[i], static_cast<int>(p)) / p;
    integrals[r] = block.mu[i] / (r + 1);
    const Vec weights = (basis * integrals).unaryExpr(&without_round_off);
    block.d[i] = weights[0];
    block.B.row(i) = weights.tail(r).transpose();
  }
}

// The largest q with sum b_i c_i^(p-1) = 1/p for p = 1..q.
int quadrature_order(const Tableau& t) {
  int q = 0;
  Vec powers = Vec::Ones(t.stages());
  while (q <= 2 * t.stages() && abs(t.b.dot(powers) - Real100(1) / (q + 1)) < Real100("1e-80")) {
    powers = powers.cwiseProduct(t.c);
    ++q;
  }
  return q;
}

// The r - 1 nodes of a family below 1.
struct NodeFamily {
  std::string_view name;
  Vec (*interior)(int r);
};
constexpr NodeFamily families[] = {{"uniform", uniform_zeros},
                                   {"chebyshev", [](int r) { return chebyshev_zeros(r - 1); }},
                                   {"legendre", [](int r) { return legendre_zeros(r - 1); }},
                                   {"lobatto", legendre_derivative_zeros}};

}  // namespace

const std::vector<std::string>& node_families() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const NodeFamily& family : families) list.emplace_back(family.name);
    return list;
  }();
  return names;
}

Vec node_family(const std::string& name, int r) {
  const auto family = std::ranges::find(families, name, &NodeFamily::name);
  if (family == std::end(families)) {
    throw InputError(fmt::format("no node family '{}'{} (known: {})", name, did_you_mean(name, node_families()),
                                 fmt::join(node_families(), ", ")));
  }
  if (r < 1 || r > 20) throw InputError(fmt::format("r must be from 1 to 20, not {}", r));
  Vec nodes(r);
  nodes << family->interior(r), Real100(1);
  return nodes;
}

// P_kj(w) = Q_jk(-w).
Polynomial pade_numerator(int k, int j) {
  Polynomial p = pade_denominator(j, k);
  for (Index i = 1; i < p.size(); i += 2) p[i] = -p[i];
  return p;
}

// Q_kj(w) = sum_i j! (k+j-i)! / ((k+j)! i! (j-i)!) (-w)^i.
Polynomial pade_denominator(int k, int j) {
  Polynomial q(j + 1);
  q[0] = 1;
  for (int i = 1; i <= j; ++i) q[i] = -q[i - 1] * (j - i + 1) / (Real100(k + j - i + 1) * i);
  return q;
}

BlockCoefficients pade_block(const Vec& nodes, int k, int j) {
  check_nodes(nodes);
  const int r = static_cast<int>(nodes.size());
  check_pair(r, k, j);
  BlockCoefficients block;
  block.nodes = nodes;
  block.nodes[r - 1] = 1;
  block.k = k;
  block.j = j;
  block.M = matching_polynomial(r, pade_denominator(k, j));
  block.N = scaled_integral(block.M);
  block.mu.resize(r);
  for (Index i = 0; i < r; ++i)
    block.mu[i] = without_round_off(pow(block.nodes[i], r + 1) - value(block.N, block.nodes[i]));
  set_weights(block);
  return block;
}

Tableau BlockCoefficients::tableau() const {
  const Index s = r() + 1;
  Tableau t;
  t.name = fmt::format("pade-block ({},{})", k, j);
  t.source = "Li, Ding, Li, Appl. Math. Mech. (Chinese) 40(7), 2019, 768-779";
  t.A = Matrix<Real100>::Zero(s, s);
  t.A.bottomLeftCorner(s - 1, 1) = d;
  t.A.bottomRightCorner(s - 1, s - 1) = B;
  t.b = t.A.row(s - 1).transpose();
  t.c = Vec::Zero(s);
  t.c.tail(s - 1) = nodes;
  t.claimed_order = std::min(quadrature_order(t), k + j);
  return t;
}

}  // namespace daelab
