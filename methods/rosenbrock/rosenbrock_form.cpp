#include "methods/rosenbrock/rosenbrock_form.hpp"

namespace daelab {
namespace {

template <class T>
Matrix<T> below_diagonal(const Matrix<Real100>& A) {
  Matrix<T> lower = Matrix<T>::Zero(A.rows(), A.cols());
  for (Index i = 0; i < A.rows(); ++i)
    for (Index j = 0; j < i; ++j) lower(i, j) = static_cast<T>(A(i, j));
  return lower;
}

Matrix<Real100> product(const Matrix<Real100>& A, const Matrix<Real100>& B) { return A.lazyProduct(B); }

}  // namespace

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
  sees.time = estimate_sight(nodes).time || abs(w.dot(d)) > tableau.size_of_zero();
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
