#include "core/solvers/rank_revealing.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numeric>

namespace daelab {

std::vector<Option> RankOptions::list() {
  Allowed below_one = positive();
  below_one.maximum = 1;
  return {
      option("tolerance", tolerance, "pivots below this times the largest count as zero", below_one),
      option("rank", rank, "rank known in advance; null: found by the tolerance", at_least(1)),
      option("inconsistency", inconsistency,
             "|A mu - b| above this times the largest |b| so far: the constraints contradict each other", below_one)};
}

Status ConsistencyCheck::check(double residual, double size_of_b) {
  if (!std::isfinite(residual)) return {StatusCode::non_finite, "the multiplier system is not finite"};
  largest_b_ = std::max(largest_b_, size_of_b);
  if (!(residual > tolerance_ * largest_b_)) return {};
  return {StatusCode::inconsistent,
          fmt::format("redundant constraints contradict each other: |A mu - b| = {:.1e} at best, |b| = {:.1e}",
                      residual, size_of_b)};
}

template <class T>
void PivotedCholesky<T>::factorize(const Matrix<T>& A, const RankRule<T>& rule) {
  using std::sqrt;
  const Index m = A.rows();
  L_.template triangularView<Eigen::Lower>() = A;
  std::iota(order_.begin(), order_.end(), Index(0));
  T largest(0);
  for (rank_ = 0; rank_ < m; ++rank_) {
    const Index k = rank_;
    Index best = k;
    for (Index i = k + 1; i < m; ++i)
      if (L_(i, i) > L_(best, best)) best = i;
    if (k == 0) largest = L_(best, best);
    if (rule.is_zero(k, L_(best, best), largest)) return;
    if (best != k) exchange(k, best);
    L_(k, k) = sqrt(L_(k, k));
    for (Index i = k + 1; i < m; ++i) L_(i, k) /= L_(k, k);
    for (Index j = k + 1; j < m; ++j) {
      const T factor = L_(j, k);
      if (factor == T(0)) continue;
      for (Index i = j; i < m; ++i) L_(i, j) -= L_(i, k) * factor;
    }
  }
}

// Rows and columns of a symmetric matrix by its lower triangle, k < best.
template <class T>
void PivotedCholesky<T>::exchange(Index k, Index best) {
  using std::swap;
  for (Index j = 0; j < k; ++j) swap(L_(k, j), L_(best, j));
  swap(L_(k, k), L_(best, best));
  for (Index i = k + 1; i < best; ++i) swap(L_(i, k), L_(best, i));
  for (Index i = best + 1; i < L_.rows(); ++i) swap(L_(i, k), L_(i, best));
  swap(order_[static_cast<std::size_t>(k)], order_[static_cast<std::size_t>(best)]);
}

template <class T>
void PivotedCholesky<T>::solve(const Vector<T>& b, Vector<T>& x) {
  x.setZero();
  const auto at = [&](Index i) -> T& { return x[pivot(i)]; };
  for (Index i = 0; i < rank_; ++i) {
    at(i) = b[pivot(i)];
    for (Index k = 0; k < i; ++k) at(i) -= L_(i, k) * at(k);
    at(i) /= L_(i, i);
  }
  for (Index i = rank_ - 1; i >= 0; --i) {
    for (Index k = i + 1; k < rank_; ++k) at(i) -= L_(k, i) * at(k);
    at(i) /= L_(i, i);
  }
}

template <class T>
RangeFactorization<T>::RangeFactorization(Index size) : qr_(size), block_(size) {
  for (Matrix<T>* x : {&Q_, &AQ_}) x->setZero(size, size);
  c_.setZero(size);
}

template <class T>
bool RangeFactorization<T>::factorize(const Matrix<T>& A, const RankRule<T>& rule) {
  using std::abs;
  qr_.compute(A);
  const Index m = A.rows();
  for (rank_ = 0; rank_ < m; ++rank_)
    if (rule.is_zero(rank_, abs(qr_.pivot(rank_)), abs(qr_.pivot(0)))) break;
  qr_.orthogonal_factor(Q_);
  for (Index j = 0; j < rank_; ++j)
    for (Index i = 0; i < m; ++i) {
      AQ_(i, j) = T(0);
      for (Index k = 0; k < m; ++k) AQ_(i, j) += A(i, k) * Q_(k, j);
    }
  for (Index j = 0; j < rank_; ++j)
    for (Index i = j; i < rank_; ++i) {
      T& entry = block_.matrix()(i, j);
      entry = T(0);
      for (Index k = 0; k < m; ++k) entry += Q_(k, i) * AQ_(k, j);
    }
  return block_.factorize_leading(rank_);
}

template <class T>
void RangeFactorization<T>::solve(const Vector<T>& b, Vector<T>& x) {
  for (Index j = 0; j < rank_; ++j) {
    c_[j] = T(0);
    for (Index i = 0; i < b.size(); ++i) c_[j] += Q_(i, j) * b[i];
  }
  block_.solve(c_);
  x.setZero();
  for (Index j = 0; j < rank_; ++j)
    for (Index i = 0; i < b.size(); ++i) x[i] += Q_(i, j) * c_[j];
}

template <class T>
void RangeFactorization<T>::inverse_on_range(Matrix<T>& inverse) {
  for (Index j = 0; j < rank_; ++j) {
    c_.setZero();
    c_[j] = T(1);
    block_.solve(c_);
    for (Index i = 0; i < rank_; ++i) inverse(i, j) = c_[i];
  }
}

#define DAELAB_INSTANTIATE(T)        \
  template class PivotedCholesky<T>; \
  template class RangeFactorization<T>;
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
