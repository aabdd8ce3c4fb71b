#include "core/solvers/sr1.hpp"

namespace daelab {
namespace {

// Plain loops: the wide types gain nothing from blocking, and small systems lose by it.
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

}  // namespace

template <class T>
Sr1Iteration<T>::Sr1Iteration(Index size) : H(Matrix<T>::Zero(size, size)) {
  for (Vector<T>* z : {&x, &r, &s, &y, &v}) z->setZero(size);
}

template <class T>
void Sr1Iteration<T>::start(const Matrix<T>& A, const Vector<T>& b) {
  multiply(H, b, s);
  x = s;
  multiply(A, x, y);
  products = 2;
  r = y - b;
}

template <class T>
void Sr1Iteration<T>::pass(const Matrix<T>& A, const Vector<T>& b, const T& skip_threshold) {
  using std::abs;
  multiply(H, r, v);
  curvature = dot(v, y);
  updated = abs(curvature) > skip_threshold;
  if (updated) {
    const T scale = T(1) / curvature;
    s = (dot(v, r) * scale - T(1)) * v;
    for (Index j = 0; j < v.size(); ++j) {
      const T factor = v[j] * scale;
      for (Index i = j; i < v.size(); ++i) H(j, i) = H(i, j) -= v[i] * factor;
    }
  } else {
    s = -v;
  }
  x += s;
  // r is formed anew, not from r + A s: rounding would pile up over the passes.
  y = r;
  multiply(A, x, r);
  r -= b;
  y = r - y;
  products += 2;
}

template <class T>
T Sr1Iteration<T>::squared_residual() const {
  return dot(r, r);
}

#define DAELAB_INSTANTIATE(T) template struct Sr1Iteration<T>;
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
