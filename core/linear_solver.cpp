#include "core/linear_solver.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

namespace daelab {

template <class S>
struct DenseLu<S>::Storage {
  explicit Storage(Index size) : matrix(size, size), lu(size) { matrix.setZero(); }
  Matrix<S> matrix;
  Eigen::PartialPivLU<Matrix<S>> lu;
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
  const auto& lu = storage_->lu;
  lu.permutationP().applyThisOnTheLeft(b);
  lu.matrixLU().template triangularView<Eigen::UnitLower>().solveInPlace(b);
  lu.matrixLU().template triangularView<Eigen::Upper>().solveInPlace(b);
}

#define DAELAB_INSTANTIATE(T) \
  template class DenseLu<T>;  \
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
    const Vector<Complex> residual = A * vector - value * vector;
    if (residual.cwiseAbs().maxCoeff() < Real100("1e-95")) return true;
    lu.matrix() = A - value * Matrix<Complex>::Identity(n, n);
    if (lu.factorize().code == StatusCode::non_finite) return false;  // singular is the aim here
    lu.solve(vector);
    Index largest;
    vector.cwiseAbs().maxCoeff(&largest);
    vector /= Complex(vector[largest]);
    const Vector<Complex> image = A * vector;
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
