// Coefficients of Padé-matched block schemes with r nodes c_1 < ... < c_r = 1:
//
//   Y = e (x) y_n + h d (x) y'_n + h (B (x) I) Y',      y_(n+1) = Y_r,
//   R(w) = e_r^T (I - w B)^(-1) (e + w d) = the (k, j)-Padé approximant of exp.
//
// The formula is exact for t, ..., t^r; mu_i stands for the value at t^(r+1). L-stable for
// k < j <= k + 2 (Ehle; proved by Wanner, Hairer, Nørsett 1978).
//
// [Li19] Li, Ding, Li, Appl. Math. Mech. (Chinese) 40(7), 2019, 768-779, eqs. (5), (8), (9). The
// closed form for mu is ours: the stability function does not depend on the nodes.
#pragma once

#include <string>
#include <vector>

#include "core/integration/tableau.hpp"

namespace daelab {

/// Coefficients of a polynomial, x^i at position i.
using Polynomial = Vector<Real100>;

struct BlockCoefficients {
  Vector<Real100> nodes;  // (r)
  Vector<Real100> mu;     // (r)
  Vector<Real100> d;      // (r)
  Matrix<Real100> B;      // (r, r)
  int k = 0, j = 0;       // degrees of numerator and denominator of R
  Polynomial M;           // (r + 1), monic, N' = (r + 1) M
  Polynomial N;           // (r + 2), monic, N(0) = 0, N(c_i) = c_i^(r+1) - mu_i

  Index r() const { return nodes.size(); }
  /// det B = 0, which makes the Newton matrices of index 2 and 3 singular.
  bool singular_B() const { return j < r(); }
  /// The Runge-Kutta form: r + 1 stages, the first explicit, stiffly accurate. Its claimed order is
  /// min(quadrature order of the last row, k + j).
  Tableau tableau() const;
};

/// uniform, chebyshev, legendre, lobatto.
const std::vector<std::string>& node_families();

/// r nodes in (0, 1], ascending, the last 1. chebyshev, legendre: zeros of T_(r-1), P_(r-1) moved
/// to [0, 1]; lobatto: zeros of P'_r. Throws InputError for an unknown family or r outside 1..20.
Vector<Real100> node_family(const std::string& name, int r);

/// Numerator P_kj and denominator Q_kj of the (k, j)-Padé approximant of exp, P(0) = Q(0) = 1;
/// (k + 1) and (j + 1).
Polynomial pade_numerator(int k, int j);
Polynomial pade_denominator(int k, int j);

/// Possible for j <= r, k <= r, k + j >= r. Throws InputError for other pairs, and for nodes that
/// are not strictly ascending in (0, 1] with the last one 1.
BlockCoefficients pade_block(const Vector<Real100>& nodes, int k, int j);

}  // namespace daelab
