#include "core/solvers/null_space.hpp"

#include <algorithm>
#include <cmath>

namespace daelab {

template <class T>
NullSpace<T>::NullSpace(Index constraints, Index coordinates, NullSpaceBasis kind)
    : kind_(kind),
      work_(Matrix<T>::Zero(coordinates, constraints)),
      scale_(Vector<T>::Zero(constraints)),
      pivot_(Vector<Index>::Zero(constraints)),
      V_(Matrix<T>::Zero(coordinates, std::max<Index>(0, coordinates - constraints))) {}

template <class T>
Index NullSpace<T>::compute(const Matrix<T>& C_q) {
  work_ = C_q.transpose();
  return kind_ == NullSpaceBasis::orthogonal ? reflect() : eliminate();
}

template <class T>
T NullSpace<T>::tail_norm(Index column, Index first) const {
  using std::sqrt;
  T sum(0);
  for (Index i = first; i < work_.rows(); ++i) sum += work_(i, column) * work_(i, column);
  return sqrt(sum);
}

// Householder QR of C_q^T, the constraint with the largest remaining gradient first. Column k of `work_` keeps
// the vector w of the k-th reflection I - scale w w^T from row k on.
template <class T>
Index NullSpace<T>::reflect() {
  using std::sqrt;
  const Index n = work_.rows(), m = work_.cols();
  T largest(0);
  for (Index k = 0; k < m; ++k) {
    if (k == n) return k;
    Index next = k;
    for (Index j = k + 1; j < m; ++j)
      if (tail_norm(j, k) > tail_norm(next, k)) next = j;
    if (next != k) work_.col(next).swap(work_.col(k));
    const T norm = tail_norm(k, k);
    if (k == 0) largest = norm;
    if (!(norm > sqrt(epsilon<T>()) * largest)) return k;
    const T head = work_(k, k);
    work_(k, k) = head < T(0) ? T(head - norm) : T(head + norm);
    scale_[k] = T(1) / (norm * (norm + (head < T(0) ? T(-head) : head)));
    for (Index j = k + 1; j < m; ++j) {
      T product(0);
      for (Index i = k; i < n; ++i) product += work_(i, k) * work_(i, j);
      product *= scale_[k];
      for (Index i = k; i < n; ++i) work_(i, j) -= product * work_(i, k);
    }
  }
  accumulate_reflections();
  return m;
}

// V := the last n - m columns of the orthogonal factor.
template <class T>
void NullSpace<T>::accumulate_reflections() {
  const Index n = work_.rows(), m = work_.cols();
  V_.setZero();
  for (Index j = 0; j < V_.cols(); ++j) {
    V_(m + j, j) = T(1);
    for (Index k = m - 1; k >= 0; --k) {
      T product(0);
      for (Index i = k; i < n; ++i) product += work_(i, k) * V_(i, j);
      product *= scale_[k];
      for (Index i = k; i < n; ++i) V_(i, j) -= product * work_(i, k);
    }
  }
}

template <class T>
Index NullSpace<T>::eliminate() {
  using std::abs;
  using std::sqrt;
  const Index n = work_.rows(), m = work_.cols();
  T largest(0);
  for (Index j = 0; j < m; ++j)
    for (Index i = 0; i < n; ++i) largest = std::max(largest, T(abs(work_(i, j))));
  Index rank = 0;
  for (Index k = 0; k < m; ++k) {
    Index p = 0;
    for (Index i = 1; i < n; ++i)
      if (abs(work_(i, k)) > abs(work_(p, k))) p = i;
    if (n == 0 || !(abs(work_(p, k)) > sqrt(epsilon<T>()) * largest)) continue;  // a dependent row
    pivot_[k] = p, ++rank;
    const T inverse = T(1) / work_(p, k);
    for (Index i = 0; i < n; ++i) work_(i, k) *= inverse;
    for (Index j = 0; j < m; ++j) {
      if (j == k) continue;
      const T factor = work_(p, j);
      for (Index i = 0; i < n; ++i) work_(i, j) -= factor * work_(i, k);
    }
  }
  if (rank == m) solve_for_pivots();
  return rank;
}

// The coordinates that are no pivots are free: one column each.
template <class T>
void NullSpace<T>::solve_for_pivots() {
  V_.setZero();
  Index column = 0;
  for (Index i = 0; i < work_.rows(); ++i) {
    if (std::find(pivot_.begin(), pivot_.end(), i) != pivot_.end()) continue;
    V_(i, column) = T(1);
    for (Index k = 0; k < work_.cols(); ++k) V_(pivot_[k], column) = -work_(i, k);
    ++column;
  }
}

double null_space_flops(NullSpaceBasis kind, Index constraints, Index coordinates) {
  const double m = static_cast<double>(constraints), n = static_cast<double>(coordinates);
  if (kind == NullSpaceBasis::elimination) return m * n * (2 * m - 1);
  return 2 * m * m * (n - m / 3) + 2 * m * (n - m) * (2 * n - m);
}

#define DAELAB_INSTANTIATE(T) template class NullSpace<T>;
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
