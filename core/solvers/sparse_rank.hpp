// Independent rows of large sparse matrices, in double.
//
// [D11] Davis, ACM Transactions on Mathematical Software 38(1), 2011, 8:1-8:22 (SuiteSparseQR).
#pragma once

#include "core/solvers/sparse_lu.hpp"

namespace daelab {

/// Which rows of a matrix (m, n) are independent. Distances are relative to the largest one.
struct RowDependence {
  std::vector<Index> independent_rows, dependent_rows;  // ascending
  double smallest_kept = 0;                             // of an independent row from the span of those taken before it
  double largest_dropped = 0;                           // of a dependent row from the span of all independent ones
};

/// Whether this build has SuiteSparseQR, which calls BLAS. Eigen's sparse QR takes its place otherwise.
bool has_sparse_qr();

/// By QR of A^T with a column permutation that keeps it sparse, and Heath's rank detection [D11]: rows at most
/// `tolerance` times the longest row away from the span of those before are dependent. Infinite or NaN entries: all
/// rows dependent.
RowDependence find_dependent_rows(const SparseMatrix<double>& A, double tolerance);

/// What the rows of a matrix A (m, n) span, by LU of [ I A^T ; A 0 ] on its pattern.
class RowSpan {
 public:
  Status factorize(const SparseMatrix<double>& A);
  /// How far a vector (n) is from it.
  double distance(const Vector<double>& row);
  /// b (m) becomes (A A^T)^-1 b.
  void solve_gram(Vector<double>& b);

 private:
  void arrange(const SparseMatrix<double>& A);

  std::shared_ptr<const SparsePattern> pattern_;
  BlockLu<double> lu_{0};
  SparseMatrix<double> identity_;
  std::size_t unit_ = 0, transposed_ = 0, rows_ = 0;
  Vector<double> x_;
};

/// How far the rows of a matrix A (m, n) are from the spans of the others. By LU of A A^T, m unknowns instead of n + m,
/// where columns are short enough to keep it sparse; else by RowSpan.
class RowDistance {
 public:
  /// Distance of the row that is most involved in the combination of rows, of length one in its coefficients, that
  /// comes closest to zero; 0 where A A^T is singular to round-off. The combination: three inverse iterations.
  double least(const SparseMatrix<double>& A);
  /// The dependency of that row: column of (A A^T)^-1. Shape (m).
  const Vector<double>& dependency() const { return dependency_; }

 private:
  void arrange(const SparseMatrix<double>& A);
  Status factorize(const SparseMatrix<double>& A);
  void solve_gram(Vector<double>& b) { forms_gram_ ? lu_.solve(b) : span_.solve_gram(b); }

  std::shared_ptr<const SparsePattern> pattern_;
  bool forms_gram_ = false;
  SparseProduct<double> product_;
  SparseMatrix<double> gram_;
  BlockLu<double> lu_{0};
  std::size_t all_ = 0;
  RowSpan span_;
  Vector<double> dependency_;
};

}  // namespace daelab
