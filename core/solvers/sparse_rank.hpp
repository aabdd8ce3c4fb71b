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

/// By QR of A^T with a column permutation that keeps it sparse, and Heath's rank detection [D11]: rows at most
/// `tolerance` times the longest row away from the span of those before are dependent. Infinite or NaN entries: all
/// rows dependent.
RowDependence find_dependent_rows(const SparseMatrix<double>& A, double tolerance);

/// How far the rows of a matrix are from the spans of the others, by LU of [ I A^T ; A 0 ] on its pattern.
class RowDistance {
 public:
  /// Distance of the row that is most involved in the combination of rows, of length one in its coefficients, that
  /// comes closest to zero; 0 where A A^T is singular to round-off. The combination: three inverse iterations.
  double least(const SparseMatrix<double>& A);
  /// The dependency of that row: column of (A A^T)^-1. Shape (m).
  const Vector<double>& dependency() const { return dependency_; }
  /// For a vector (n) from the span of the rows of the last matrix; factorise() first.
  Status factorize(const SparseMatrix<double>& A);
  double from_span(const Vector<double>& row);

 private:
  void arrange(const SparseMatrix<double>& A);
  void solve_gram(const Vector<double>& b);  // into dependency_

  std::shared_ptr<const SparsePattern> pattern_;
  BlockLu<double> lu_{0};
  SparseMatrix<double> identity_;
  std::size_t unit_ = 0, transposed_ = 0, rows_ = 0;
  Vector<double> x_, dependency_;
};

}  // namespace daelab
