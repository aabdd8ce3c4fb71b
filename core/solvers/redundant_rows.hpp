// Redundant constraints in implicit forms.
#pragma once

#include "core/solvers/rank_revealing.hpp"
#include "core/solvers/sparse_matrix.hpp"

namespace daelab {

/// The projector N onto the null space of C_q^T, zero for independent rows, and the weight w of N lambda: a constraint
/// row becomes (I - N) row + w N lambda, so that rows cannot contradict each other and lambda has least norm.
template <class T>
class RedundantRows {
 public:
  /// m rows of n columns.
  RedundantRows(Index m, Index n)
      : gram_(Matrix<T>::Zero(m, m)),
        factor_(m),
        N_(Matrix<T>::Zero(m, m)),
        column_(Vector<T>::Zero(m)),
        C_q_(Matrix<T>::Zero(m, n)),
        M_(Matrix<T>::Zero(n, n)),
        rows_(Matrix<T>::Zero(m, n)),
        projector_pattern_(SparsePattern::full(m, m)),
        row_pattern_(SparsePattern::full(m, n)) {}

  void find(const Matrix<T>& C_q, const Matrix<T>& M) {
    gram_.noalias() = C_q.lazyProduct(C_q.transpose());
    factor_.factorize(gram_, RankRule<T>(T(1) / T(100000000), -1));
    N_.noalias() = factor_.null_space().lazyProduct(factor_.null_space().transpose());
    // Any w > 0 has the same solution. A frozen N mixes the two parts of the row a little: |C_q|^2/|M| makes
    // w lambda an acceleration, and a thousandth of it disturbs no constraint.
    weight_ = gram_.trace() / (T(1000) * M.trace());
  }
  void find(const SparseMatrix<T>& C_q, const SparseMatrix<T>& M) {
    C_q.scatter(C_q_), M.scatter(M_);
    find(C_q_, M_);
  }
  /// Before anything has been found, zero.
  void copy_projector(SparseMatrix<T>& N) const {
    N.take(projector_pattern_);
    N.values = N_.reshaped();
  }
  const T& weight() const { return weight_; }
  /// result := (I - N) rows, of full pattern; rows without entries stay so.
  void remove(const SparseMatrix<T>& rows, SparseMatrix<T>& result) {
    if (rows.pattern->entries() == 0) {
      result = rows;
      return;
    }
    rows.scatter(rows_);
    for (Index j = 0; j < rows_.cols(); ++j) {
      column_.noalias() = N_.lazyProduct(rows_.col(j));
      rows_.col(j) -= column_;
    }
    result.take(row_pattern_);
    result.values = rows_.reshaped();
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
  Matrix<T> C_q_, M_, rows_;
  std::shared_ptr<const SparsePattern> projector_pattern_, row_pattern_;
};

}  // namespace daelab
