#include <Eigen/LU>

#include "core/solvers/dense.hpp"

namespace daelab::dense {

Matrix<double> solve(const Matrix<double>& A, const Matrix<double>& B) { return A.partialPivLu().solve(B); }

template <int N>
Eigen::Matrix<double, N, 1> solve(const Eigen::Matrix<double, N, N>& A, const Eigen::Matrix<double, N, 1>& b) {
  return A.partialPivLu().solve(b);
}
template Eigen::Matrix<double, 6, 1> solve(const Eigen::Matrix<double, 6, 6>&, const Eigen::Matrix<double, 6, 1>&);
template Eigen::Matrix<double, 4, 1> solve(const Eigen::Matrix<double, 4, 4>&, const Eigen::Matrix<double, 4, 1>&);

}  // namespace daelab::dense
