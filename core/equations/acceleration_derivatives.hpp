// Derivatives of accelerations and multipliers by (q, v), from the blocks of index 1.
#pragma once

#include "core/equations/system.hpp"
#include "core/solvers/linear_solver.hpp"

namespace daelab {

template <class T>
class AccelerationDerivatives {
 public:
  AccelerationDerivatives(Index coordinates, Index constraints)
      : n_(coordinates), m_(constraints), lu_(n_ + m_), column_(n_ + m_) {
    for (Matrix<T>* x : {&F_y_, &F_ydot_}) x->setZero(2 * n_ + m_, 2 * n_ + m_);
    for (Matrix<T>* x : {&by_q_, &by_v_}) x->setZero(n_ + m_, n_);
  }

  /// At a point (t, y) with y' and multipliers of its own; `of_index_1` linearises index 1. False where its matrix is
  /// singular.
  bool evaluate(Linearization<T>& of_index_1, const T& t, const Vector<T>& y, const Vector<T>& ydot) {
    of_index_1.evaluate(t, y, ydot);
    of_index_1.coupled(sparse_y_, sparse_ydot_);
    sparse_y_.scatter(F_y_), sparse_ydot_.scatter(F_ydot_);
    return differentiate();
  }
  const Matrix<T>& by_q() const { return by_q_; }  // (n + m, n), accelerations on top
  const Matrix<T>& by_v() const { return by_v_; }

 private:
  // [M J^T; J 0] (a_x; lambda_x) = -(balance_x; row_x), x = q, v, with the rows that index 1 has for redundant ones.
  bool differentiate() {
    lu_.matrix().leftCols(n_) = F_ydot_.block(n_, n_, n_ + m_, n_);
    lu_.matrix().rightCols(m_) = F_y_.bottomRightCorner(n_ + m_, m_);
    if (!lu_.factorize().ok()) return false;
    for (Index j = 0; j < 2 * n_; ++j) {
      column_ = -F_y_.col(j).tail(n_ + m_);
      lu_.solve(column_);
      (j < n_ ? by_q_.col(j) : by_v_.col(j - n_)) = column_;
    }
    return true;
  }

  Index n_, m_;
  DenseLu<T> lu_;
  SparseMatrix<T> sparse_y_, sparse_ydot_;
  Matrix<T> F_y_, F_ydot_, by_q_, by_v_;
  Vector<T> column_;
};

}  // namespace daelab
