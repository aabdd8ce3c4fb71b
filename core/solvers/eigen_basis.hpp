#pragma once

#include <complex>
#include <optional>

#include "core/base/scalar.hpp"

namespace daelab {

/// Eigenvalues and right eigenvectors (columns) of a real matrix with distinct eigenvalues, and the
/// inverse of the eigenvector matrix, in 100 digits: eigenpairs in double, refined by inverse iteration.
struct EigenBasis {
  Vector<std::complex<Real100>> values;
  Matrix<std::complex<Real100>> vectors, inverse;
};
/// Nothing when the matrix has no basis of eigenvectors (or none that can be told from round-off).
std::optional<EigenBasis> eigen_basis(const Matrix<Real100>& A);

}  // namespace daelab
