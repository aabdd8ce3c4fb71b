#include "methods/runge_kutta/implicit_stages.hpp"

#include "core/base/status.hpp"
#include "core/solvers/eigen_basis.hpp"

namespace daelab {
namespace {

// L(i, j): value at 1 + c_i of the Lagrange polynomial of node j.
Matrix<Real100> extrapolation_matrix(const Vector<Real100>& nodes, const Vector<Real100>& c) {
  Matrix<Real100> L(c.size(), nodes.size());
  for (Index i = 0; i < c.size(); ++i)
    for (Index j = 0; j < nodes.size(); ++j) {
      L(i, j) = 1;
      for (Index k = 0; k < nodes.size(); ++k)
        if (k != j) L(i, j) *= (1 + c[i] - nodes[k]) / (nodes[j] - nodes[k]);
    }
  return L;
}

std::vector<Eigenmode> eigenmodes(const Matrix<Real100>& B) {
  const Real100 tiny("1e-60");
  const std::optional<EigenBasis> basis = eigen_basis(B);
  if (!basis) return {};  // defective: the coupled system is solved instead
  std::vector<Eigenmode> modes;
  for (Index e = 0; e < B.rows(); ++e) {
    const std::complex<Real100> beta = basis->values[e];
    const bool real = abs(beta.imag()) < tiny;
    if (!real && beta.imag() < 0) continue;
    modes.push_back({real, beta, basis->inverse.row(e).transpose(), basis->vectors.col(e)});
    if (!real) modes.back().right *= std::complex<Real100>(2);
  }
  return modes;
}

// Largest q with sum_j A_ij c_j^(k-1) = c_i^k / k for all i and k <= q.
int stage_order(const Tableau& tableau) {
  const Real100 tiny("1e-60");
  Vector<Real100> power = Vector<Real100>::Ones(tableau.stages());  // c^(k-1)
  for (int k = 1; k <= tableau.stages(); ++k) {
    const Vector<Real100> left = tableau.A.lazyProduct(power);
    power = power.cwiseProduct(tableau.c).eval();
    for (Index i = 0; i < left.size(); ++i)
      if (abs(left[i] - power[i] / k) > tiny) return k - 1;
  }
  return static_cast<int>(tableau.stages());
}

// A stage at the start itself is left out: where slopes do not depend on y, it has no defect.
void set_defect(const Tableau& tableau, Stages& s) {
  const Real100 tiny("1e-60");
  const Index r = s.c.size();
  s.start_slope.setZero(r);
  for (const Eigenmode& mode : s.modes)
    if (mode.real && mode.beta.real() > s.gamma + tiny) s.gamma = mode.beta.real();
  if (s.gamma == 0) s.gamma = s.B.trace() / static_cast<int>(r);
  int nodes = 0;
  for (Index i = 0; i < r; ++i) {
    if (abs(s.c[i]) < tiny) continue;
    ++nodes;
    s.start_slope[i] = 1;
    for (Index k = 0; k < r; ++k) {
      if (k == i || abs(s.c[k]) < tiny) continue;
      if (abs(s.c[k] - s.c[i]) < tiny) return;
      s.start_slope[i] *= s.c[k] / (s.c[k] - s.c[i]);
    }
  }
  if (nodes > 0 && s.gamma > tiny) s.defect_exponent = std::min(nodes, stage_order(tableau) + 1) + 1;
}

void set_end_slope(Stages& s) {
  const Real100 same("1e-30");
  const Index r = s.c.size();
  Vector<Real100> weights = Vector<Real100>::Ones(r);
  for (Index i = 0; i < r; ++i) {
    if (abs(s.c[i] - 1) < same) return;
    for (Index k = 0; k < r; ++k) {
      if (k == i) continue;
      if (abs(s.c[k] - s.c[i]) < same) return;
      weights[i] *= (1 - s.c[k]) / (s.c[i] - s.c[k]);
    }
  }
  s.end_slope = weights;
}

// Leading error terms of order q: of y' = y and of quadrature, what weights w miss of 1/q! and 1/q, over (q - 1)!.
double leading_terms(const Tableau& tableau, const Vector<Real100>& w, int q, bool misses) {
  Vector<Real100> tall = Vector<Real100>::Ones(w.size()), bushy = tall;
  Real100 factorial = 1;
  for (int k = 1; k < q; ++k) {
    tall = tableau.A.lazyProduct(tall).eval();
    bushy = bushy.cwiseProduct(tableau.c).eval();
    factorial *= k;
  }
  const int exact = misses ? 1 : 0;
  const Real100 linear = w.dot(tall) - exact / Real100(factorial * q), quadrature = w.dot(bushy) - exact / Real100(q);
  return std::hypot(static_cast<double>(linear), static_cast<double>(Real100(quadrature / factorial)));
}

// The order of the method must be claimed.
double amplification_of(const Tableau& tableau, int exponent) {
  const double of_method = leading_terms(tableau, tableau.b, tableau.claimed_order + 1, true),
               of_estimate = leading_terms(tableau, tableau.b - tableau.b_embedded, exponent, false);
  return of_method / std::pow(of_estimate, (tableau.claimed_order + 1.0) / exponent);
}

Index embedded_stage(const Tableau& tableau, const Stages& stages) {
  const Real100 same("1e-30");
  for (Index i = 0; i < stages.c.size(); ++i) {
    const Vector<Real100> row = tableau.A.row(tableau.stages() - stages.c.size() + i);
    if ((row - tableau.b_embedded).cwiseAbs().maxCoeff() < same) return i;
  }
  return -1;
}

}  // namespace

ErrorFormula defect_formula(const Stages& stages) {
  if (stages.defect_exponent == 0)
    throw NotApplicable(
        "no error estimate: it needs the polynomial through the slopes of the stages, which this tableau does not "
        "have (nodes coincide, all stages are at the start, or tr A <= 0)");
  return {1, -stages.start_slope, stages.gamma, stages.defect_exponent};
}

ErrorFormula embedded_formula(const Tableau& tableau, const Stages& stages) {
  const Index r = stages.c.size();
  const Vector<Real100> difference = (tableau.b - tableau.b_embedded) / stages.gamma;
  const int order =
      tableau.claimed_order == 0 ? tableau.embedded_order : std::min(tableau.claimed_order, tableau.embedded_order);
  const double amplification = tableau.claimed_order > 0 ? amplification_of(tableau, order + 1) : 1;
  return {stages.explicit_first ? difference[0] : Real100(0),
          difference.tail(r),
          stages.gamma,
          order + 1,
          std::isfinite(amplification) ? amplification : 1,
          stages.stiffly_accurate ? embedded_stage(tableau, stages) : -1};
}

Stages implicit_stages(const Tableau& tableau) {
  Stages s;
  s.explicit_first = tableau.explicit_first_stage();
  s.stiffly_accurate = tableau.stiffly_accurate();
  const Index first = s.explicit_first ? 1 : 0, r = tableau.stages() - first;
  s.B = tableau.A.bottomRightCorner(r, r);
  s.d = s.explicit_first ? Vector<Real100>(tableau.A.col(0).tail(r)) : Vector<Real100>::Zero(r);
  s.c = tableau.c.tail(r);
  s.b = tableau.b.tail(r);
  if (s.explicit_first) s.b0 = tableau.b[0];
  s.extrapolation = extrapolation_matrix(s.explicit_first ? tableau.c : s.c, s.c);
  s.modes = eigenmodes(s.B);
  const Real100 tiny("1e-60");
  for (const Eigenmode& mode : s.modes) s.singular |= mode.real && abs(mode.beta.real()) < tiny;
  set_defect(tableau, s);
  set_end_slope(s);
  return s;
}

}  // namespace daelab
