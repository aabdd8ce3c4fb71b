#include "core/solvers/sr1.hpp"

#include "core/solvers/plain_products.hpp"

namespace daelab {

template <class T>
Sr1Iteration<T>::Sr1Iteration(Index size) : H(Matrix<T>::Zero(size, size)) {
  for (Vector<T>* z : {&x, &r, &s, &y, &v}) z->setZero(size);
}

template <class T>
void Sr1Iteration<T>::start(const Matrix<T>& A, const Vector<T>& b) {
  plain::multiply(H, b, s);
  x = s;
  plain::multiply(A, x, y);
  products = 2;
  r = y - b;
}

template <class T>
void Sr1Iteration<T>::pass(const Matrix<T>& A, const Vector<T>& b, const T& skip_threshold) {
  using std::abs;
  plain::multiply(H, r, v);
  curvature = plain::dot(v, y);
  updated = abs(curvature) > skip_threshold;
  if (updated) {
    const T scale = T(1) / curvature;
    s = (plain::dot(v, r) * scale - T(1)) * v;
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
  plain::multiply(A, x, r);
  r -= b;
  y = r - y;
  products += 2;
}

template <class T>
T Sr1Iteration<T>::squared_residual() const {
  return plain::dot(r, r);
}

#define DAELAB_INSTANTIATE(T) template struct Sr1Iteration<T>;
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
