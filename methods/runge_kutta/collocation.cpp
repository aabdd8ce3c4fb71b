#include "methods/runge_kutta/collocation.hpp"

#include <fmt/format.h>

namespace daelab {
namespace {

using Vec = Vector<Real100>;

void check_stages(const char* name, int s, int least) {
  if (s < least || s > 20) throw InputError(fmt::format("{}: stages must be from {} to 20, not {}", name, least, s));
}

Tableau named(Tableau t, const char* name, int order) {
  t.name = name;
  t.claimed_order = order;
  t.source = "Hairer, Wanner, Solving Ordinary Differential Equations II, Sec. IV.5";
  return t;
}

Vec lobatto_nodes(int s) {
  Vec nodes(s);
  nodes << Real100(0), legendre_derivative_zeros(s - 1), Real100(1);
  return nodes;
}

}  // namespace

Tableau collocation(const Vec& nodes) {
  const Index s = nodes.size();
  Tableau t;
  t.c = nodes;
  t.A.resize(s, s);
  for (Index i = 0; i < s; ++i) t.A.row(i) = interpolatory_weights(nodes, nodes[i]).transpose();
  t.b = interpolatory_weights(nodes, 1);
  return t;
}

Tableau gauss(int s) {
  check_stages("gauss", s, 1);
  return named(collocation(legendre_zeros(s)), "gauss", 2 * s);
}

Tableau radau_iia(int s) {
  check_stages("radau-iia", s, 1);
  return named(collocation(radau_nodes(s)), "radau-iia", 2 * s - 1);
}

Tableau lobatto_iiic(int s) {
  check_stages("lobatto-iiic", s, 2);
  const Vec nodes = lobatto_nodes(s);
  Tableau t = collocation(nodes);
  // C(s-1) fixes a row up to a multiple of the divided difference of order s - 1, whose weights are
  // the leading coefficients of the Lagrange basis; a_i1 = b_1 fixes the multiple.
  const Vec difference = lagrange_basis(nodes).col(s - 1);
  for (Index i = 0; i < s; ++i) {
    const Real100 multiple = (t.b[0] - t.A(i, 0)) / difference[0];
    t.A.row(i) += multiple * difference.transpose();
    t.A(i, 0) = t.b[0];
  }
  return named(t, "lobatto-iiic", 2 * s - 2);
}

Tableau lobatto_iiia(int s) {
  check_stages("lobatto-iiia", s, 3);
  const Vec nodes = lobatto_nodes(s);
  Tableau t = collocation(nodes);
  const Index middle = s / 2, after = s - 1 - middle;
  Vec without(s - 1);
  without << nodes.head(middle), nodes.tail(after);
  const Vec weights = interpolatory_weights(without, 1);
  t.b_embedded = Vec::Zero(s);
  t.b_embedded.head(middle) = weights.head(middle);
  t.b_embedded.tail(after) = weights.tail(after);
  t.embedded_order = s - 1;
  return named(t, "lobatto-iiia", 2 * s - 2);
}

}  // namespace daelab
