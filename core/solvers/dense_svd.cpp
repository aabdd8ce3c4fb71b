#include <Eigen/SVD>

#include "core/solvers/dense.hpp"

namespace daelab::dense {

// Filled up with zeros: only a square matrix needs no QR decomposition first.
Vector<double> singular_values(const Matrix<double>& A) {
  const Index size = std::max(A.rows(), A.cols());
  Matrix<double> square = Matrix<double>::Zero(size, size);
  square.topLeftCorner(A.rows(), A.cols()) = A;
  const Eigen::JacobiSVD<Matrix<double>, Eigen::NoQRPreconditioner> svd(square);
  return svd.singularValues().head(std::min(A.rows(), A.cols()));
}

template <class T>
struct SquareSvd<T>::Storage {
  explicit Storage(Index size) : svd(size, size, Eigen::ComputeFullU | Eigen::ComputeFullV) {}
  Eigen::JacobiSVD<Matrix<T>, Eigen::NoQRPreconditioner> svd;
};

template <class T>
SquareSvd<T>::SquareSvd(Index size) : storage_(std::make_unique<Storage>(size)) {}
template <class T>
SquareSvd<T>::~SquareSvd() = default;
template <class T>
SquareSvd<T>::SquareSvd(SquareSvd&&) noexcept = default;
template <class T>
SquareSvd<T>& SquareSvd<T>::operator=(SquareSvd&&) noexcept = default;

template <class T>
void SquareSvd<T>::compute(const Matrix<T>& A) {
  storage_->svd.compute(A);
}
template <class T>
const Vector<T>& SquareSvd<T>::sigma() const {
  return storage_->svd.singularValues();
}
template <class T>
const Matrix<T>& SquareSvd<T>::U() const {
  return storage_->svd.matrixU();
}
template <class T>
const Matrix<T>& SquareSvd<T>::V() const {
  return storage_->svd.matrixV();
}

#define DAELAB_INSTANTIATE(T) template class SquareSvd<T>;
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab::dense
