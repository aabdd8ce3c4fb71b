// Random sparse matrices, and the choice between sparse and dense factorisations.
#pragma once

#include "core/base/context.hpp"
#include "core/solvers/dense.hpp"
#include "core/solvers/sparse_lu.hpp"
#include "tests/numeric_support.hpp"

namespace daelab {

// About `filled` of the entries, the diagonal among them where asked for.
template <class T>
inline SparseMatrix<T> random_matrix(RandomNumbers& random, Index rows, Index columns, double filled,
                                     bool diagonal = false) {
  auto pattern = std::make_shared<SparsePattern>();
  pattern->rows = rows, pattern->columns = columns;
  for (Index j = 0; j < columns; ++j) {
    for (Index i = 0; i < rows; ++i)
      if ((diagonal && i == j) || std::abs(random.next()) < filled) pattern->row.push_back(static_cast<int>(i));
    pattern->start.push_back(static_cast<int>(pattern->row.size()));
  }
  SparseMatrix<T> A;
  A.take(pattern);
  for (T& x : A.values) x = T(random.next());
  return A;
}

template <class T>
inline Matrix<T> dense_of(const SparseMatrix<T>& A) {
  Matrix<T> B(A.rows(), A.columns());
  A.scatter(B);
  return B;
}

// Forces the sparse way, or the dense one, for matrices of any size made while it lives.
class DenseSizeScope {
 public:
  explicit DenseSizeScope(Index size) : context_{.largest_dense_size = size}, scope_(context_) {}

 private:
  Context context_;
  Context::Scope scope_;
};

}  // namespace daelab
