// Kværnø's ESDIRK pairs of order 3 and 4: the first stage is explicit, all others have stage order 2 and one diagonal
// entry gamma, and the stage before the last is the embedded solution. Method and embedded one are stiffly accurate; of
// order 4 only the embedded one is L-stable. Coefficients follow from these conditions. That of order 5 is
// kvaerno-5.json.
//
// [Kva04] Kværnø, Singly diagonally implicit Runge-Kutta methods with an explicit first stage, BIT 44, 2004, 489-502.
#include "core/solvers/dense.hpp"
#include "methods/runge_kutta/runge_kutta.hpp"
#include "methods/runge_kutta/sdirk_gamma.hpp"

namespace daelab {
namespace {

// Weights of nodes c, which are all different, for polynomials of degree < nodes: sum_j w_j c_j^k = 1/(k + 1).
Vector<Real100> weights(const Vector<Real100>& c) {
  Matrix<Real100> powers(c.size(), c.size());
  Vector<Real100> integrals(c.size());
  for (Index k = 0; k < c.size(); ++k) {
    for (Index j = 0; j < c.size(); ++j) powers(k, j) = k == 0 ? Real100(1) : Real100(powers(k - 1, j) * c[j]);
    integrals[k] = Real100(1) / static_cast<int>(k + 1);
  }
  return dense::solve(powers, integrals);
}

// The last row is b, the one before it the embedded solution.
Tableau completed(const char* name, int order, const Matrix<Real100>& A) {
  Tableau t;
  t.name = name;
  t.claimed_order = order, t.embedded_order = order - 1;
  t.A = A;
  t.b = A.row(A.rows() - 1).transpose();
  t.b_embedded = A.row(A.rows() - 2).transpose();
  t.c = A.rowwise().sum();
  return t;
}

// sum_j a_j = c and sum_j a_j c_j = c^2/2 of a stage behind those at 0 and 2 gamma: a_2.
Real100 third_stage(const Real100& c, const Real100& g) { return c * (c / 2 - g) / (2 * g); }

struct Kvaerno3 {
  static constexpr const char* name = "kvaerno-3";
  static constexpr const char* summary =
      "Kvaerno: four stages, the first explicit, order 3, embedded order 2, L-stable, stage order 2.";
  static constexpr const char* source = "Kværnø 2004; Hairer, Wanner 1996, Sec. IV.6";

  Options options() { return {}; }

  Tableau tableau(const std::string& /*where*/) const {
    const Real100 g = sdirk_gamma(), a32 = third_stage(1, g);
    const Vector<Real100> w = weights(Vector<Real100>{{0, 2 * g, 1}});
    return completed(name, 3,
                     Matrix<Real100>{{0, 0, 0, 0}, {g, g, 0, 0}, {1 - a32 - g, a32, g, 0}, {w[0], w[1], w[2] - g, g}});
  }
};
const TableauEntry<Kvaerno3> kvaerno_3_entry;

struct Kvaerno4 {
  static constexpr const char* name = "kvaerno-4";
  static constexpr const char* summary =
      "Kvaerno: five stages, the first explicit, order 4, A-stable, embedded order 3, L-stable, stage order 2.";
  static constexpr const char* source = "Kværnø 2004";

  Options options() { return {}; }

  // By the node of the third stage.
  static Matrix<Real100> coefficients(const Real100& c3) {
    const Real100 g = sdirk_gamma(), a32 = third_stage(c3, g);
    const Vector<Real100> c{{0, 2 * g, c3, 1}}, b = weights(c);
    // The fourth stage is the embedded solution: weights at 0, 2 gamma, c3 of the degree that gamma at 1 leaves.
    const Matrix<Real100> powers{{1, 1, 1}, {0, c[1], c[2]}, {0, c[1] * c[1], c[2] * c[2]}};
    const Vector<Real100> a4 = dense::solve(powers, Vector<Real100>{{1 - g, Real100(1) / 2 - g, Real100(1) / 3 - g}});
    return Matrix<Real100>{{0, 0, 0, 0, 0},
                           {g, g, 0, 0, 0},
                           {c3 - a32 - g, a32, g, 0, 0},
                           {a4[0], a4[1], a4[2], g, 0},
                           {b[0], b[1], b[2], b[3] - g, g}};
  }

  // What is left of order 4: sum_ij b_i a_ij c_j^2 = 1/12.
  static Real100 defect(const Real100& c3) {
    const Matrix<Real100> A = coefficients(c3);
    const Vector<Real100> c = A.rowwise().sum(), inner = A.lazyProduct(c.cwiseProduct(c));
    return A.row(4).transpose().dot(inner) - Real100(1) / 12;
  }

  Tableau tableau(const std::string& /*where*/) const {
    Real100 before("0.4683"), c3("0.4682387448518444");
    Real100 of_before = defect(before);
    for (int i = 0; i < 30; ++i) {  // secants
      const Real100 now = defect(c3);
      if (now == of_before) break;
      const Real100 next = c3 - now * (c3 - before) / (now - of_before);
      before = c3, of_before = now, c3 = next;
    }
    return completed(name, 4, coefficients(c3));
  }
};
const TableauEntry<Kvaerno4> kvaerno_4_entry;

}  // namespace
}  // namespace daelab
