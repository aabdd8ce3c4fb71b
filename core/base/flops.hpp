// Additions and multiplications of dense building blocks, for the reports of multiplier solvers.
#pragma once

#include "core/base/scalar.hpp"

namespace daelab {

inline double dot_flops(Index size) { return 2 * static_cast<double>(size) - 1; }

/// For a matrix (rows, columns) times a vector.
inline double product_flops(Index rows, Index columns) { return static_cast<double>(rows) * dot_flops(columns); }

/// Counts RangeFactorization::factorize of a matrix (m, m) of rank r, leading terms: QR with column pivoting, Q, A Q,
/// Q^T A Q and its Cholesky factor. [GVL13, sec. 5.4]
/// [GVL13] Golub, Van Loan, Matrix Computations, 4th ed., Johns Hopkins, 2013.
inline double range_factorization_flops(Index size, Index rank) {
  const double m = static_cast<double>(size), r = static_cast<double>(rank);
  return 4 * (m * m * r - m * r * r + r * r * r / 3) + 4 * m * m * m / 3 + 2 * m * m * r + m * r * r + r * r * r / 3;
}

}  // namespace daelab
