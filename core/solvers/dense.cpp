// The decompositions that are plain loops: in 100 digits, where Eigen's blocking gains nothing and costs seconds of
// compilation, and complete pivoting, whose order of rows is needed.
#include "core/solvers/dense.hpp"

namespace daelab::dense {
namespace {

// Below and right of pivot k of a matrix with its factors in place. changed(j): column j, where row k has no zero, as
// most columns of constraint Jacobians have one.
template <class S>
void eliminate(Matrix<S>& A, Index k, auto&& changed) {
  const Index below = A.rows() - k - 1;
  for (Index i = k + 1; i < A.rows(); ++i) A(i, k) /= A(k, k);
  for (Index j = k + 1; j < A.cols(); ++j) {
    if (A(k, j) == S(0)) continue;
    A.col(j).tail(below) -= A(k, j) * A.col(k).tail(below);
    changed(j);
  }
}

template <class S>
S largest_from(const Matrix<S>& A, Index row, Index column) {
  return row < A.rows() ? S(A.col(column).tail(A.rows() - row).cwiseAbs().maxCoeff()) : S(0);
}

}  // namespace

Vector<Real100> solve(Matrix<Real100> A, Vector<Real100> b) {
  const Index n = A.rows();
  for (Index k = 0; k < n; ++k) {
    Index pivot = k;
    for (Index i = k + 1; i < n; ++i)
      if (abs(A(i, k)) > abs(A(pivot, k))) pivot = i;
    A.row(k).swap(A.row(pivot)), std::swap(b[k], b[pivot]);
    eliminate(A, k, [](Index) {});
  }
  for (Index j = 0; j < n; ++j)
    for (Index i = j + 1; i < n; ++i) b[i] -= A(i, j) * b[j];
  for (Index j = n; j-- > 0;) {
    b[j] /= A(j, j);
    for (Index i = 0; i < j; ++i) b[i] -= A(i, j) * b[j];
  }
  return b;
}

template <class S>
CompletePivoting<S> complete_pivoting(Matrix<S> A) {
  using std::abs;
  const Index m = A.rows(), size = std::min(m, A.cols());
  std::vector<Index> order(static_cast<std::size_t>(m));
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<Index>(i);
  CompletePivoting<S> result{Vector<S>::Zero(size), S(0), order};
  // Largest entry of each column, from row k on.
  Vector<S> largest(A.cols());
  for (Index j = 0; j < A.cols(); ++j) largest[j] = largest_from(A, 0, j);
  for (Index k = 0; k < size; ++k) {
    Index row = k, column = k;
    for (Index j = k + 1; j < A.cols(); ++j)
      if (largest[j] > largest[column]) column = j;
    while (row + 1 < m && abs(A(row, column)) < largest[column]) ++row;
    if (A(row, column) == S(0)) break;
    result.pivots[k] = abs(A(row, column));
    if (result.pivots[k] > result.largest) result.largest = result.pivots[k];
    A.row(k).swap(A.row(row)), A.col(k).swap(A.col(column)), std::swap(largest[k], largest[column]);
    std::swap(order[static_cast<std::size_t>(k)], order[static_cast<std::size_t>(row)]);
    eliminate(A, k, [&](Index j) { largest[j] = largest_from(A, k + 1, j); });
  }
  for (std::size_t i = 0; i < order.size(); ++i)
    result.position[static_cast<std::size_t>(order[i])] = static_cast<Index>(i);
  return result;
}

template CompletePivoting<double> complete_pivoting(Matrix<double>);
template CompletePivoting<Real100> complete_pivoting(Matrix<Real100>);

}  // namespace daelab::dense
