#include "core/solvers/eigen_basis.hpp"

#include "core/solvers/dense.hpp"
#include "core/solvers/linear_solver.hpp"

namespace daelab {
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
  const dense::Eigenpairs rough = dense::eigenpairs(A.cast<double>());
  const Matrix<Complex> wide = A.cast<Complex>();
  EigenBasis basis{Vector<Complex>(n), Matrix<Complex>(n, n), Matrix<Complex>(n, n)};
  DenseLu<Complex> lu(n);
  for (Index e = 0; e < n; ++e) {
    const std::complex<double> start = rough.values[e];
    Complex value(start.real(), start.imag());
    Vector<Complex> vector(n);
    for (Index i = 0; i < n; ++i) {
      const std::complex<double> x = rough.vectors(i, e);
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
