// Sequences of multiplier systems A mu = b whose matrix changes by one of given rank.
#pragma once

#include "tests/numeric_support.hpp"

namespace daelab {

// A solver beside the multipliers of its last solve.
template <class T>
struct Sequence {
  std::unique_ptr<Multipliers<T>> multipliers;
  Vector<T> mu;

  Sequence(const std::string& spec, Index size)
      : multipliers(Registry<MultiplierSolver>::instance().make(spec, "")->bind(As<T>{}, size, size)),
        mu(Vector<T>::Zero(size)) {}
  Status solve(const Matrix<T>& A, const Vector<T>& b) { return multipliers->solve(A, b, mu); }
  const SolveReport& last() const { return multipliers->last(); }
};

template <class T>
Matrix<T> random_matrix(Index rows, Index columns, RandomNumbers& random) {
  Matrix<T> X(rows, columns);
  for (Index j = 0; j < columns; ++j) X.col(j) = random.vector<T>(rows);
  return X;
}

template <class T>
Matrix<T> gram(const Matrix<T>& X) {
  return X.lazyProduct(X.transpose());
}

// Q of X = Q R by Householder's reflections, for more rows than columns. In plain loops: Eigen's takes 15 s to compile.
template <class T>
Matrix<T> orthonormal_columns(Matrix<T> X) {
  using std::sqrt;
  const Index m = X.rows(), r = X.cols();
  Matrix<T> Q = Matrix<T>::Identity(m, r);
  const auto reflect = [&](Index k, Matrix<T>& Y, Index from) {  // along column k of X, from its diagonal on
    T size(0);
    for (Index i = k; i < m; ++i) size += X(i, k) * X(i, k);
    for (Index j = from; j < r; ++j) {
      T sum(0);
      for (Index i = k; i < m; ++i) sum += X(i, k) * Y(i, j);
      for (Index i = k; i < m; ++i) Y(i, j) -= 2 * sum / size * X(i, k);
    }
  };
  for (Index k = 0; k < r; ++k) {
    T square(0);
    for (Index i = k; i < m; ++i) square += X(i, k) * X(i, k);
    X(k, k) += X(k, k) < T(0) ? T(-sqrt(square)) : T(sqrt(square));
    reflect(k, X, k + 1);
  }
  for (Index k = r - 1; k >= 0; --k) reflect(k, Q, k);
  return Q;
}

// A0 of rank r and size m with eigenvalues from 1 to 2 on its range, and a perturbation of that range of rank k
// and norm at most 1/2: A0 - F is positive definite on the range too.
template <class T>
struct PerturbedSystem {
  Matrix<T> A0, F;
  Vector<T> x;

  PerturbedSystem(Index m, Index r, Index k, unsigned seed) {
    RandomNumbers random(seed);
    const Matrix<T> X = random_matrix<T>(m, r, random);
    const Matrix<T> U = orthonormal_columns(X);
    Matrix<T> stretched = U;
    for (Index j = 0; j < r; ++j) stretched.col(j) *= T(1) + T(j) / T(r);
    A0 = stretched.lazyProduct(U.transpose());
    const Matrix<T> C = U.lazyProduct(random_matrix<T>(r, k, random));
    F = gram(C);
    F /= T(2) * F.norm();
    x = U.lazyProduct(random.vector<T>(r));
  }
};

}  // namespace daelab
