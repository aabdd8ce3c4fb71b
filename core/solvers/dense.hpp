// Dense decompositions as functions. Eigen's headers of decompositions cost seconds in every file that includes them:
// of the library only core/dense_*.cpp and core/solvers/linear_solver_double.cpp do, and analysis/roots.cpp, whose
// companion matrices are on the stack.
//
// Nothing is checked: a matrix that is singular or not finite gives numbers that are not finite, unless said otherwise.
// What has to refuse such matrices, or must not allocate, is in core/solvers/linear_solver.hpp.
#pragma once

#include <complex>
#include <memory>
#include <vector>

#include "core/base/scalar.hpp"

namespace daelab::dense {

/// X of A X = B, LU with partial pivoting. A (n, n), B (n, k).
Matrix<double> solve(const Matrix<double>& A, const Matrix<double>& B);
Vector<Real100> solve(Matrix<Real100> A, Vector<Real100> b);
/// Overload for a fixed size, N = 6.
template <int N>
Eigen::Matrix<double, N, 1> solve(const Eigen::Matrix<double, N, N>& A, const Eigen::Matrix<double, N, 1>& b);

/// L^-1 B, M = L L^T symmetric positive definite (n, n), read from its lower triangle. B (n, k).
Matrix<double> solve_cholesky_factor(const Matrix<double>& M, const Matrix<double>& B);

/// Eigenvalues (n), in no order; all NaN where the iteration does not converge, as for a matrix that is not finite.
Vector<std::complex<double>> eigenvalues(const Matrix<double>& A);

/// The eigenvectors are columns, of length one.
struct Eigenpairs {
  Vector<std::complex<double>> values;   // (n), in no order
  Matrix<std::complex<double>> vectors;  // (n, n)
};
Eigenpairs eigenpairs(const Matrix<double>& A);

/// For a symmetric matrix (n, n), read from its lower triangle: ascending.
Vector<double> symmetric_eigenvalues(const Matrix<double>& A);

/// The eigenvectors are columns, orthonormal.
struct SymmetricEigenpairs {
  Vector<double> values;   // (n), ascending
  Matrix<double> vectors;  // (n, n)
};
SymmetricEigenpairs symmetric_eigenpairs(const Matrix<double>& A);

/// Descending, min(m, n) of them.
Vector<double> singular_values(const Matrix<double>& A);

/// Gaussian elimination with complete pivoting: which rows are independent, and how clearly.
template <class S>
struct CompletePivoting {
  Vector<S> pivots;             // (min(m, n)) absolute, in the order they were taken
  S largest{0};                 // of the pivots
  std::vector<Index> position;  // (m) of row i in the order of elimination: its pivot is pivots[position[i]]

  /// Pivots above this times the largest.
  Index rank(const S& tolerance) const { return (pivots.array() > largest * tolerance).count(); }
};
/// S: double, Real100. A (m, n).
template <class S>
CompletePivoting<S> complete_pivoting(Matrix<S> A);

/// A P = Q R of square matrices of one size with column pivoting by Householder reflections: |R(k, k)| descend. Nothing
/// is allocated after construction.
template <class T>
class ColumnPivotedQr {
 public:
  explicit ColumnPivotedQr(Index size);
  ~ColumnPivotedQr();
  ColumnPivotedQr(ColumnPivotedQr&&) noexcept;
  ColumnPivotedQr& operator=(ColumnPivotedQr&&) noexcept;

  void compute(const Matrix<T>& A);
  /// R(k, k)
  const T& pivot(Index k) const;
  /// The column of A that was taken k-th.
  Index column(Index k) const;
  /// Q, (size, size) already.
  void orthogonal_factor(Matrix<T>& Q);

 private:
  struct Storage;
  std::unique_ptr<Storage> storage_;
};

/// A = U diag(sigma) V^T of square matrices of one size by Jacobi's two-sided rotations. Nothing is allocated after
/// construction.
template <class T>
class SquareSvd {
 public:
  explicit SquareSvd(Index size);
  ~SquareSvd();
  SquareSvd(SquareSvd&&) noexcept;
  SquareSvd& operator=(SquareSvd&&) noexcept;

  void compute(const Matrix<T>& A);
  const Vector<T>& sigma() const;  // descending
  const Matrix<T>& U() const;      // (size, size)
  const Matrix<T>& V() const;

 private:
  struct Storage;
  std::unique_ptr<Storage> storage_;
};

}  // namespace daelab::dense
