// Rank-revealing factorisations of symmetric positive semidefinite matrices: redundant constraints give
// multiplier systems A mu = b of rank r < m.
#pragma once

#include <optional>
#include <vector>

#include "core/base/options.hpp"
#include "core/solvers/dense.hpp"
#include "core/solvers/linear_solver.hpp"

namespace daelab {

/// What counts as zero, as options of every solver that finds a rank.
struct RankOptions {
  Exact tolerance = "1e-8";      // relative to the largest pivot
  std::optional<int> rank = {};  // known in advance; then the tolerance is not used
  Exact inconsistency = "1e-3";  // |A mu - b| relative to the largest |b| so far

  std::vector<Option> list();
};

/// Rank options rounded to T.
template <class T>
struct RankRule {
  explicit RankRule(const RankOptions& options)
      : tolerance(options.tolerance.as<T>()), rank(options.rank.value_or(-1)) {}
  RankRule(T relative_tolerance, Index fixed_rank) : tolerance(relative_tolerance), rank(fixed_rank) {}
  T tolerance;
  Index rank;  // -1: by the tolerance
  bool is_zero(Index k, const T& pivot, const T& largest) const {
    return rank >= 0 ? k >= rank || !(pivot > T(0)) : !(pivot > tolerance * largest);
  }
};

/// Contradictory constraints: b so far outside the range of A that no drift explains it. One per run.
class ConsistencyCheck {
 public:
  explicit ConsistencyCheck(const RankOptions& options) : tolerance_(options.inconsistency.as<double>()) {}
  /// Returns inconsistent with both sizes when `residual` is too large, non_finite for NaN. Sizes are Euclidean norms.
  Status check(double residual, double size_of_b);

 private:
  double tolerance_, largest_b_ = 0;
};

/// A = P^T L L^T P with diagonal pivoting, stopped at the rank.
template <class T>
class PivotedCholesky {
 public:
  explicit PivotedCholesky(Index size) : L_(Matrix<T>::Zero(size, size)), order_(static_cast<std::size_t>(size)) {}

  /// Reads the lower triangle.
  void factorize(const Matrix<T>& A, const RankRule<T>& rule);
  Index rank() const { return rank_; }
  /// The row taken k-th: the first rank() ones are independent.
  Index pivot(Index k) const { return order_[static_cast<std::size_t>(k)]; }
  /// The root of the pivot taken k-th.
  const T& root(Index k) const { return L_(k, k); }
  /// A basic solution: zero on dependent rows. b is permuted along the way.
  void solve(const Vector<T>& b, Vector<T>& x);

 private:
  void exchange(Index k, Index best);

  Matrix<T> L_;  // in pivoted order
  std::vector<Index> order_;
  Index rank_ = 0;
};

/// Orthonormal bases of the range and the null space of a symmetric A, and A restricted to its range:
/// A = Q B Q^T with B = Q^T A Q positive definite, so A^+ = Q B^-1 Q^T. A complete orthogonal decomposition
/// that uses the symmetry, by QR with column pivoting.
template <class T>
class RangeFactorization {
 public:
  explicit RangeFactorization(Index size);

  /// False when A is not positive definite on its range.
  bool factorize(const Matrix<T>& A, const RankRule<T>& rule);
  Index rank() const { return rank_; }
  auto range() const { return Q_.leftCols(rank_); }                    // (m, rank)
  auto null_space() const { return Q_.rightCols(Q_.cols() - rank_); }  // (m, m - rank)
  /// x := A^+ b, the least-squares solution of least norm.
  void solve(const Vector<T>& b, Vector<T>& x);
  /// B^-1, (rank, rank) in the upper left of `inverse` (m, m).
  void inverse_on_range(Matrix<T>& inverse);

 private:
  dense::ColumnPivotedQr<T> qr_;
  Matrix<T> Q_, AQ_;
  CholeskyFactor<T> block_;
  Vector<T> c_;
  Index rank_ = 0;
};

}  // namespace daelab
