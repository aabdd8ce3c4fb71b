// Dense linear algebra behind one header: one translation unit owns Eigen's factorisations.
#pragma once

#include <memory>
#include <optional>

#include "core/scalar.hpp"
#include "core/status.hpp"

namespace daelab {

/// LU with partial pivoting of a fixed size. Fill matrix(), factorize(), then solve as often as
/// needed; nothing is allocated after construction.
/// S: double, Real50, Real100 or std::complex of these.
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

/// Lower Cholesky factor of a symmetric positive definite matrix, in place, with the reciprocals of its
/// diagonal on the diagonal: solves multiply. The upper triangle is not touched. False, with A half done, when a pivot is not positive to round-off.
template <class T>
bool cholesky(Matrix<T>& A);
/// b := L^-1 b and b := L^-T b with the factor from cholesky().
template <class T>
void solve_lower(const Matrix<T>& L, auto&& b) {
  for (Index i = 0; i < L.rows(); ++i) {
    for (Index k = 0; k < i; ++k) b[i] -= L(i, k) * b[k];
    b[i] *= L(i, i);
  }
}
template <class T>
void solve_lower_transposed(const Matrix<T>& L, auto&& b) {
  for (Index i = L.rows() - 1; i >= 0; --i) {
    for (Index k = i + 1; k < L.rows(); ++k) b[i] -= L(k, i) * b[k];
    b[i] *= L(i, i);
  }
}

/// Eigenvalues and right eigenvectors (columns) of a real matrix with distinct eigenvalues, and the
/// inverse of the eigenvector matrix, in 100 digits: eigenpairs in double, refined by inverse iteration.
struct EigenBasis {
  Vector<std::complex<Real100>> values;
  Matrix<std::complex<Real100>> vectors, inverse;
};
/// Nothing when the matrix has no basis of eigenvectors (or none that can be told from round-off).
std::optional<EigenBasis> eigen_basis(const Matrix<Real100>& A);

}  // namespace daelab
