#include "methods/rosenbrock/rosenbrock_tableau.hpp"

#include <algorithm>

namespace daelab {
namespace {

// Coefficients carry about 100 digits, rounded ones their own.
Real100 size_of_zero(const RosenbrockTableau& t) {
  return t.digits == 0 ? Real100("1e-60") : Real100(static_cast<int>(t.stages()) * pow(Real100(10), 2 - t.digits));
}

template <class T>
Matrix<T> below_diagonal(const Matrix<Real100>& A) {
  Matrix<T> lower = Matrix<T>::Zero(A.rows(), A.cols());
  for (Index i = 0; i < A.rows(); ++i)
    for (Index j = 0; j < i; ++j) lower(i, j) = static_cast<T>(A(i, j));
  return lower;
}

Matrix<Real100> product(const Matrix<Real100>& A, const Matrix<Real100>& B) { return A.lazyProduct(B); }

}  // namespace

bool RosenbrockTableau::stiffly_accurate() const {
  const Matrix<Real100> B = beta();
  for (Index j = 0; j < stages(); ++j)
    if (abs(B(stages() - 1, j) - b[j]) > size_of_zero(*this)) return false;
  return true;
}

Tableau RosenbrockTableau::on_linear_equations() const {
  Tableau t;
  t.name = name, t.source = source;
  t.A = beta(), t.b = b, t.b_embedded = b_embedded;
  t.c = t.A.rowwise().sum();
  t.digits = digits;
  t.A_error = Matrix<Real100>::Zero(stages(), stages());
  t.b_error = Vector<Real100>::Zero(stages()), t.c_error = t.b_error;
  if (digits > 0) {
    const Real100 unit = pow(Real100(10), 1 - digits);
    t.A_error = unit * t.A.cwiseAbs(), t.b_error = unit * t.b.cwiseAbs(), t.c_error = t.A_error.rowwise().sum();
  }
  if (b_embedded.size() > 0) t.b_embedded_error = t.b_error;
  return t;
}

Matrix<Real100> lower_inverse(const Matrix<Real100>& L) {
  const Index s = L.rows();
  Matrix<Real100> X = Matrix<Real100>::Zero(s, s);
  for (Index j = 0; j < s; ++j)
    for (Index i = j; i < s; ++i) {
      Real100 rest = i == j ? 1 : 0;
      for (Index k = j; k < i; ++k) rest -= L(i, k) * X(k, j);
      X(i, j) = rest / L(i, i);
    }
  return X;
}

EstimateSight estimate_sight(const RosenbrockTableau& tableau) {
  EstimateSight sees = estimate_sight(tableau.on_linear_equations());
  if (tableau.b_embedded.size() == 0) return sees;
  // f_t enters the stages, so that its weights count, too.
  Tableau nodes = tableau.on_linear_equations();
  nodes.c = tableau.alpha.rowwise().sum();
  const Vector<Real100> w = tableau.b - tableau.b_embedded, d = tableau.gamma.rowwise().sum();
  sees.time = estimate_sight(nodes).time || abs(w.dot(d)) > size_of_zero(tableau);
  return sees;
}

template <class T>
RosenbrockForm<T>::RosenbrockForm(const RosenbrockTableau& t) : gamma(static_cast<T>(t.gamma(0, 0))) {
  const Matrix<Real100> inverse = lower_inverse(t.gamma), W = lower_inverse(t.beta());
  const Matrix<Real100> alpha_W = product(t.alpha, W), ones = Matrix<Real100>::Ones(t.stages(), 1);
  a = below_diagonal<T>(product(t.alpha, inverse));
  gamma_inverse = inverse.cast<T>();
  slope = below_diagonal<T>(product(alpha_W, inverse));
  rest = below_diagonal<T>(product(product(t.gamma, W), inverse));
  omega = Matrix<Real100>(ones - product(alpha_W, ones)).col(0).cast<T>();
  c = Vector<Real100>(t.alpha.rowwise().sum()).cast<T>();
  d = Vector<Real100>(t.gamma.rowwise().sum()).cast<T>();
  m = Matrix<Real100>(product(inverse.transpose(), t.b)).col(0).cast<T>();
  if (t.b_embedded.size() > 0) e = Matrix<Real100>(product(inverse.transpose(), t.b - t.b_embedded)).col(0).cast<T>();
  output = t.dense_output.cast<T>();
}

#define DAELAB_INSTANTIATE(T) template struct RosenbrockForm<T>;
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
