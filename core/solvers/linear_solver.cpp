#include "core/solvers/dense_lu.hpp"

namespace daelab {

// Right-looking LU with partial pivoting in place: rows are exchanged whole, L has a unit diagonal. For
// the wide types, where Eigen's blocking gains nothing and costs minutes of compilation.
template <class S>
class PlainLu {
 public:
  explicit PlainLu(Index size) : lu_(size, size), pivot_(size) {}

  void compute(const Matrix<S>& A) {
    lu_ = A;
    for (Index k = 0; k < lu_.cols(); ++k) {
      pivot_[k] = k;
      for (Index i = k + 1; i < lu_.rows(); ++i)
        if (magnitude(lu_(i, k)) > magnitude(lu_(pivot_[k], k))) pivot_[k] = i;
      if (pivot_[k] != k) lu_.row(k).swap(lu_.row(pivot_[k]));
      if (lu_(k, k) == S(0)) continue;  // reported by the caller's look at the diagonal
      const S inverse_pivot = S(1) / lu_(k, k);
      for (Index i = k + 1; i < lu_.rows(); ++i) lu_(i, k) *= inverse_pivot;
      for (Index j = k + 1; j < lu_.cols(); ++j) {
        const S factor = lu_(k, j);
        if (factor == S(0)) continue;
        for (Index i = k + 1; i < lu_.rows(); ++i) lu_(i, j) -= lu_(i, k) * factor;
      }
    }
  }
  const Matrix<S>& matrixLU() const { return lu_; }

  void solve(Vector<S>& b) const {
    const Index n = lu_.rows();
    for (Index k = 0; k < n; ++k)
      if (pivot_[k] != k) std::swap(b[k], b[pivot_[k]]);
    for (Index j = 0; j < n; ++j)
      for (Index i = j + 1; i < n; ++i) b[i] -= lu_(i, j) * b[j];
    for (Index j = n - 1; j >= 0; --j) {
      b[j] /= lu_(j, j);
      for (Index i = 0; i < j; ++i) b[i] -= lu_(i, j) * b[j];
    }
  }

 private:
  // |re| + |im| ranks pivots as well as the modulus, without a root.
  template <class R>
  static R magnitude(const std::complex<R>& z) {
    using std::abs;
    return abs(z.real()) + abs(z.imag());
  }
  template <class R>
  static R magnitude(const R& x) {
    using std::abs;
    return abs(x);
  }

  Matrix<S> lu_;
  Vector<Index> pivot_;
};

template <class T>
bool CholeskyFactor<T>::factorize_leading(Index size) {
  using std::sqrt;
  size_ = size;
  T largest(0);
  for (Index j = 0; j < size_; ++j) largest = std::max(largest, L_(j, j));
  const T tiny = T(size_) * epsilon<T>() * largest;
  diagonal_ = true;
  for (Index j = 0; j < size_; ++j) {
    if (!(L_(j, j) > tiny)) return false;
    L_(j, j) = T(1) / sqrt(L_(j, j));
    for (Index i = j + 1; i < size_; ++i) L_(i, j) *= L_(j, j);
    for (Index k = j + 1; k < size_; ++k) {
      const T factor = L_(k, j);
      if (factor == T(0)) continue;
      diagonal_ = false;
      for (Index i = k; i < size_; ++i) L_(i, k) -= L_(i, j) * factor;
    }
  }
  return true;
}

#define DAELAB_INSTANTIATE(T) template class CholeskyFactor<T>;
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

#ifndef DAELAB_DOUBLE_ONLY
template class DenseLu<Real50>;
template class DenseLu<std::complex<Real50>>;
#endif
template class DenseLu<std::complex<Real100>>;

}  // namespace daelab
