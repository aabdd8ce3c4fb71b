#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include "core/solvers/dense.hpp"
#include "core/solvers/dense_householder.hpp"

namespace daelab::dense {

using SymmetricSolver = Eigen::SelfAdjointEigenSolver<Matrix<double>>;

Vector<double> symmetric_eigenvalues(const Matrix<double>& A) {
  return SymmetricSolver(A, Eigen::EigenvaluesOnly).eigenvalues();
}

SymmetricEigenpairs symmetric_eigenpairs(const Matrix<double>& A) {
  const SymmetricSolver solver(A);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

Matrix<double> solve_cholesky_factor(const Matrix<double>& M, const Matrix<double>& B) {
  return Eigen::LLT<Matrix<double>>(M).matrixL().solve(B);
}

}  // namespace daelab::dense
