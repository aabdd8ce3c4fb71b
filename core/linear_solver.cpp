#include "core/linear_solver.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <type_traits>

namespace daelab {

namespace {

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

template <class S>
class EigenLu {
 public:
  explicit EigenLu(Index size) : lu_(size), unpermuted_(size) {}
  void compute(const Matrix<S>& A) { lu_.compute(A); }
  const Matrix<S>& matrixLU() const { return lu_.matrixLU(); }
  void solve(Vector<S>& b) {
    unpermuted_ = b;  // Eigen's own in-place permutation allocates a mask
    const auto& target = lu_.permutationP().indices();
    for (Index i = 0; i < b.size(); ++i) b[target[i]] = unpermuted_[i];
    lu_.matrixLU().template triangularView<Eigen::UnitLower>().solveInPlace(b);
    lu_.matrixLU().template triangularView<Eigen::Upper>().solveInPlace(b);
  }

 private:
  Eigen::PartialPivLU<Matrix<S>> lu_;
  Vector<S> unpermuted_;
};

}  // namespace

template <class S>
struct DenseLu<S>::Storage {
  using Real = typename Eigen::NumTraits<S>::Real;
  explicit Storage(Index size) : matrix(Matrix<S>::Zero(size, size)), lu(size) {}
  Matrix<S> matrix;
  std::conditional_t<std::is_same_v<Real, double>, EigenLu<S>, PlainLu<S>> lu;
};

template <class S>
DenseLu<S>::DenseLu(Index size) : storage_(std::make_unique<Storage>(size)) {}
template <class S>
DenseLu<S>::~DenseLu() = default;
template <class S>
DenseLu<S>::DenseLu(DenseLu&&) noexcept = default;
template <class S>
DenseLu<S>& DenseLu<S>::operator=(DenseLu&&) noexcept = default;

template <class S>
Matrix<S>& DenseLu<S>::matrix() {
  return storage_->matrix;
}

template <class S>
Status DenseLu<S>::factorize() {
  using std::abs;
  using Real = typename Eigen::NumTraits<S>::Real;
  storage_->lu.compute(storage_->matrix);
  const auto& lu = storage_->lu.matrixLU();
  Real smallest = std::numeric_limits<Real>::max(), largest(0);
  for (Index i = 0; i < lu.rows(); ++i) {
    const Real pivot = abs(lu(i, i));
    if (!(pivot <= std::numeric_limits<Real>::max()))
      return {StatusCode::non_finite, "an entry of the iteration matrix is not finite"};
    smallest = std::min(smallest, pivot);
    largest = std::max(largest, pivot);
  }
  if (smallest <= epsilon<Real>() * largest)
    return {StatusCode::singular, "a pivot of the iteration matrix vanishes to round-off"};
  return {};
}

template <class S>
void DenseLu<S>::solve(Vector<S>& b) const {
  storage_->lu.solve(b);
}

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

#define DAELAB_INSTANTIATE(T) \
  template class CholeskyFactor<T>; \
  template class DenseLu<T>;        \
  template class DenseLu<std::complex<T>>;
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

template class DenseLu<std::complex<Real100>>;

namespace {

using Complex = std::complex<Real100>;

// Inverse iteration from a pair good to double precision: each solve gains about 15 digits, and so
// does the Rayleigh quotient that replaces the shift.
bool refine_eigenpair(const Matrix<Complex>& A, Complex& value, Vector<Complex>& vector) {
  const Index n = A.rows();
  DenseLu<Complex> lu(n);
  for (int iteration = 0; iteration < 12; ++iteration) {
    const Vector<Complex> residual = A.lazyProduct(vector) - value * vector;
    if (residual.cwiseAbs().maxCoeff() < Real100("1e-95")) return true;
    lu.matrix() = A - value * Matrix<Complex>::Identity(n, n);
    if (lu.factorize().code == StatusCode::non_finite) return false;  // singular is the aim here
    lu.solve(vector);
    Index largest;
    vector.cwiseAbs().maxCoeff(&largest);
    vector /= Complex(vector[largest]);
    const Vector<Complex> image = A.lazyProduct(vector);
    value = image[largest];
  }
  return false;
}

}  // namespace

std::optional<EigenBasis> eigen_basis(const Matrix<Real100>& A) {
  const Index n = A.rows();
  const Eigen::EigenSolver<Matrix<double>> rough(A.cast<double>());
  const Matrix<Complex> wide = A.cast<Complex>();
  EigenBasis basis{Vector<Complex>(n), Matrix<Complex>(n, n), Matrix<Complex>(n, n)};
  DenseLu<Complex> lu(n);
  for (Index e = 0; e < n; ++e) {
    const std::complex<double> start = rough.eigenvalues()[e];
    Complex value(start.real(), start.imag());
    Vector<Complex> vector(n);
    for (Index i = 0; i < n; ++i) {
      const std::complex<double> x = rough.eigenvectors()(i, e);
      vector[i] = Complex(x.real(), x.imag());
    }
    if (!refine_eigenpair(wide, value, vector)) return {};
    for (Index other = 0; other < e; ++other)  // two starts may have met in one eigenvalue
      if (abs(value - basis.values[other]) < Real100("1e-40")) return {};
    basis.values[e] = value;
    basis.vectors.col(e) = vector;
  }
  lu.matrix() = basis.vectors;
  if (!lu.factorize().ok()) return {};
  for (Index j = 0; j < n; ++j) {
    Vector<Complex> column = Vector<Complex>::Unit(n, j);
    lu.solve(column);
    basis.inverse.col(j) = column;
  }
  return basis;
}

}  // namespace daelab
