#include "core/solvers/eigen_basis.hpp"

#include "core/solvers/dense.hpp"
#include "core/solvers/linear_solver.hpp"

namespace daelab {
namespace {

using Complex = std::complex<Real100>;

// Real and imaginary parts apart, which takes half as many products as complex numbers do.
Vector<Complex> product(const Matrix<Real100>& A, const Vector<Complex>& x) {
  Vector<Complex> y(A.rows());
  const Vector<Real100> real = A.lazyProduct(x.real()), imaginary = A.lazyProduct(x.imag());
  y.real() = real, y.imag() = imaginary;
  return y;
}

// Inverse iteration from a pair good to double precision: each solve doubles the digits, as the shift is renewed.
bool refine_eigenpair(const Matrix<Real100>& A, DenseLu<Complex>& lu, Complex& value, Vector<Complex>& vector) {
  Vector<Complex> image = product(A, vector);
  for (int iteration = 0; iteration < 12; ++iteration) {
    if ((image - value * vector).cwiseAbs().maxCoeff() < Real100("1e-95")) return true;
    lu.matrix() = A.cast<Complex>();
    for (Index i = 0; i < A.rows(); ++i) lu.matrix()(i, i) -= value;
    if (lu.factorize().code == StatusCode::non_finite) return false;  // singular is the aim here
    lu.solve(vector);
    Index largest;
    vector.cwiseAbs().maxCoeff(&largest);
    vector /= Complex(vector[largest]);
    image = product(A, vector);
    value = image[largest];
  }
  return false;
}

}  // namespace

std::optional<EigenBasis> eigen_basis(const Matrix<Real100>& A) {
  const Index n = A.rows();
  const dense::Eigenpairs rough = dense::eigenpairs(A.cast<double>());
  EigenBasis basis{Vector<Complex>(n), Matrix<Complex>(n, n), Matrix<Complex>(n, n)};
  DenseLu<Complex> lu(n);
  for (Index e = 0; e < n; ++e) {
    if (e > 0 && rough.values[e].imag() != 0 && rough.values[e] == std::conj(rough.values[e - 1])) {
      basis.values[e] = std::conj(basis.values[e - 1]);
      basis.vectors.col(e) = basis.vectors.col(e - 1).conjugate();
      continue;
    }
    const std::complex<double> start = rough.values[e];
    Complex value(start.real(), start.imag());
    Vector<Complex> vector(n);
    for (Index i = 0; i < n; ++i) {
      const std::complex<double> x = rough.vectors(i, e);
      vector[i] = Complex(x.real(), x.imag());
    }
    if (!refine_eigenpair(A, lu, value, vector)) return {};
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
