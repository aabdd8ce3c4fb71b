// Redundant constraints in implicit forms.
#pragma once

#include "core/solvers/rank_revealing.hpp"

namespace daelab {

/// The projector N onto the null space of C_q^T, zero for independent rows, and the weight w of N lambda: a constraint
/// row becomes (I - N) row + w N lambda, so that rows cannot contradict each other and lambda has least norm.
template <class T>
class RedundantRows {
 public:
  explicit RedundantRows(Index m)
      : gram_(Matrix<T>::Zero(m, m)), factor_(m), N_(Matrix<T>::Zero(m, m)), column_(Vector<T>::Zero(m)) {}

  void find(const Matrix<T>& C_q, const Matrix<T>& M) {
    gram_.noalias() = C_q.lazyProduct(C_q.transpose());
    factor_.factorize(gram_, RankRule<T>(T(1) / T(100000000), -1));
    N_.noalias() = factor_.null_space().lazyProduct(factor_.null_space().transpose());
    // Any w > 0 has the same solution. A frozen N mixes the two parts of the row a little: |C_q|^2/|M| makes
    // w lambda an acceleration, and a thousandth of it disturbs no constraint.
    weight_ = gram_.trace() / (T(1000) * M.trace());
  }
  const Matrix<T>& projector() const { return N_; }
  const T& weight() const { return weight_; }
  /// Every column x of X becomes (I - N) x.
  void remove(Matrix<T>& X) {
    for (Index j = 0; j < X.cols(); ++j) {
      column_.noalias() = N_.lazyProduct(X.col(j));
      X.col(j) -= column_;
    }
  }
  /// row := (I - N) row + w N lambda
  void replace(Vector<T>& row, const Vector<T>& lambda) {
    column_ = weight_ * lambda - row;
    row.noalias() += N_.lazyProduct(column_);
  }

 private:
  Matrix<T> gram_;  // C_q C_q^T
  RangeFactorization<T> factor_;
  Matrix<T> N_;
  T weight_{0};
  Vector<T> column_;
};

}  // namespace daelab
