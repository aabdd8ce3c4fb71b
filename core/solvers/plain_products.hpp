// Products by plain loops: the wide types gain nothing from Eigen's blocking, and small systems lose by it.
#pragma once

#include "core/base/scalar.hpp"

namespace daelab::plain {

/// y := A x, shapes (n, m), (m), (n); y is not x.
template <class T>
void multiply(const Matrix<T>& A, const Vector<T>& x, Vector<T>& y) {
  y.setZero();
  for (Index j = 0; j < A.cols(); ++j)
    for (Index i = 0; i < A.rows(); ++i) y[i] += A(i, j) * x[j];
}

template <class T>
T dot(const Vector<T>& x, const Vector<T>& y) {
  T sum(0);
  for (Index i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  return sum;
}

}  // namespace daelab::plain
