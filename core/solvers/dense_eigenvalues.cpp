#include <Eigen/Eigenvalues>
#include <limits>

#include "core/solvers/dense.hpp"
#include "core/solvers/dense_householder.hpp"

namespace daelab::dense {

using GeneralSolver = Eigen::EigenSolver<Matrix<double>>;

Vector<std::complex<double>> eigenvalues(const Matrix<double>& A) {
  const GeneralSolver solver(A, false);
  if (solver.info() == Eigen::Success) return solver.eigenvalues();
  return Vector<std::complex<double>>::Constant(A.rows(), std::numeric_limits<double>::quiet_NaN());
}

Eigenpairs eigenpairs(const Matrix<double>& A) {
  const GeneralSolver solver(A);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

}  // namespace daelab::dense
