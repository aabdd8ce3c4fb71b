// The members of ColumnPivotedQr, for the files that compile them, one per scalar.
#pragma once

#include <Eigen/QR>

#include "core/solvers/dense.hpp"
#include "core/solvers/dense_householder.hpp"

namespace daelab::dense {

template <class T>
struct ColumnPivotedQr<T>::Storage {
  explicit Storage(Index size) : qr(size, size), workspace(size) {}

  Eigen::ColPivHouseholderQR<Matrix<T>> qr;
  Vector<T> workspace;
};

template <class T>
ColumnPivotedQr<T>::ColumnPivotedQr(Index size) : storage_(std::make_unique<Storage>(size)) {}
template <class T>
ColumnPivotedQr<T>::~ColumnPivotedQr() = default;
template <class T>
ColumnPivotedQr<T>::ColumnPivotedQr(ColumnPivotedQr&&) noexcept = default;
template <class T>
ColumnPivotedQr<T>& ColumnPivotedQr<T>::operator=(ColumnPivotedQr&&) noexcept = default;

template <class T>
void ColumnPivotedQr<T>::compute(const Matrix<T>& A) {
  storage_->qr.compute(A);
}
template <class T>
const T& ColumnPivotedQr<T>::pivot(Index k) const {
  return storage_->qr.matrixQR()(k, k);
}
template <class T>
Index ColumnPivotedQr<T>::column(Index k) const {
  return storage_->qr.colsPermutation().indices()[k];
}
template <class T>
void ColumnPivotedQr<T>::orthogonal_factor(Matrix<T>& Q) {
  storage_->qr.householderQ().evalTo(Q, storage_->workspace);
}

}  // namespace daelab::dense
