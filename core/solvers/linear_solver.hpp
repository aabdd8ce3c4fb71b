// Factorisations kept from step to step: of a fixed size, and without allocation. For all others see
// core/solvers/dense.hpp.
#pragma once

#include <complex>
#include <memory>

#include "core/base/scalar.hpp"
#include "core/base/status.hpp"

namespace daelab {

/// LU with partial pivoting of a fixed size. Fill matrix(), factorize(), then solve as often as
/// needed; nothing is allocated after construction.
/// S: double, Real50, or std::complex of these and of Real100.
template <class S>
class DenseLu {
 public:
  explicit DenseLu(Index size);
  ~DenseLu();
  DenseLu(DenseLu&&) noexcept;
  DenseLu& operator=(DenseLu&&) noexcept;

  Matrix<S>& matrix();  // (size, size)
  /// StatusCode::singular when a pivot vanishes to round-off, non_finite for bad entries.
  Status factorize();
  /// b := A^-1 b.
  void solve(Vector<S>& b) const;

 private:
  struct Storage;
  std::unique_ptr<Storage> storage_;
};

/// Cholesky factor L of a symmetric positive definite matrix of a fixed size, M = L L^T; a diagonal M costs
/// n multiplications a solve. Fill matrix() (lower triangle), factorize(), then solve as often as needed.
template <class T>
class CholeskyFactor {
 public:
  explicit CholeskyFactor(Index size) : L_(Matrix<T>::Zero(size, size)), size_(size) {}

  Matrix<T>& matrix() { return L_; }
  /// False when a pivot is not positive to round-off.
  bool factorize() { return factorize_leading(L_.rows()); }
  /// Factorises the leading block of this size; solves then see the first entries only.
  bool factorize_leading(Index size);
  /// b := L^-1 b.
  void solve_lower(auto&& b) const {
    if (diagonal_) return scale(b);
    for (Index i = 0; i < size_; ++i) {
      for (Index k = 0; k < i; ++k) b[i] -= L_(i, k) * b[k];
      b[i] *= L_(i, i);
    }
  }
  /// X := X L^-T, all rows of X at once; zeros of L cost nothing.
  void solve_lower_rows(Matrix<T>& X) const {
    for (Index i = 0; i < size_; ++i) {
      for (Index k = 0; k < i && !diagonal_; ++k)
        if (const T& factor = L_(i, k); factor != T(0))
          for (Index row = 0; row < X.rows(); ++row) X(row, i) -= X(row, k) * factor;
      for (Index row = 0; row < X.rows(); ++row) X(row, i) *= L_(i, i);
    }
  }
  /// b := L^-T b.
  void solve_lower_transposed(auto&& b) const {
    if (diagonal_) return scale(b);
    for (Index i = size_ - 1; i >= 0; --i) {
      for (Index k = i + 1; k < size_; ++k) b[i] -= L_(k, i) * b[k];
      b[i] *= L_(i, i);
    }
  }
  /// b := M^-1 b.
  void solve(auto&& b) const {
    solve_lower(b);
    solve_lower_transposed(b);
  }

 private:
  void scale(auto&& b) const {
    for (Index i = 0; i < size_; ++i) b[i] *= L_(i, i);
  }
  Matrix<T> L_;  // the factor, with the reciprocals of its diagonal on the diagonal; upper triangle untouched
  Index size_;
  bool diagonal_ = false;
};

}  // namespace daelab
