#include "core/multiplier_solver.hpp"

#include <algorithm>

namespace daelab {

void SolveStatistics::add(const SolveReport& report) {
  smallest_rank = solves == 0 ? report.rank : std::min(smallest_rank, report.rank);
  largest_rank = std::max(largest_rank, report.rank);
  ++solves;
  passes += report.passes;
  ++histogram[static_cast<std::size_t>(std::min(report.passes, longest))];
  ++verdicts[static_cast<std::size_t>(report.verdict)];
  ++refactorizations[static_cast<std::size_t>(report.refactorization)];
  largest_residual = std::max(largest_residual, report.residual);
  if (report.verdict == SolveVerdict::floor) largest_floor = std::max(largest_floor, report.residual);
  flops += report.flops;
}

template <class T>
ReducedMultipliers<T>::ReducedMultipliers(Index coordinates, Index constraints) : mass_(coordinates) {
  W_.setZero(coordinates, constraints), A_.setZero(constraints, constraints), b_.setZero(constraints);
}

template <class T>
Status ReducedMultipliers<T>::solve_saddle_point(const SaddlePoint<T>& s, Vector<T>& a, Vector<T>& mu) {
  const Index n = W_.rows(), m = W_.cols();
  this->report_ = {};
  if (!mass_is_factorized_) {
    mass_.matrix() = s.M;
    if (!mass_.factorize()) return {StatusCode::singular, "the mass matrix is not positive definite"};
    mass_is_factorized_ = s.constant_mass;
  }
  a = s.f;
  mass_.solve_lower(a);  // L^-1 f
  for (Index i = 0; i < m; ++i) {
    W_.col(i) = s.G.row(i);
    mass_.solve_lower(W_.col(i));
    b_[i] = s.h[i];
    for (Index k = 0; k < n; ++k) b_[i] += W_(k, i) * a[k];
    for (Index j = 0; j <= i; ++j) {
      T sum(0);
      for (Index k = 0; k < n; ++k) sum += W_(k, i) * W_(k, j);
      A_(i, j) = A_(j, i) = sum;
    }
  }
  if (m > 0)
    if (Status status = this->solve_reduced(A_, b_, mu); !status.ok()) return status;
  for (Index i = 0; i < m; ++i)
    for (Index k = 0; k < n; ++k) a[k] -= W_(k, i) * mu[i];
  mass_.solve_lower_transposed(a);
  return {};
}

template <class T>
T multiplier_residual(const Matrix<T>& A, const Vector<T>& b, const Vector<T>& mu, Vector<T>& residual) {
  using std::sqrt;
  T sum(0);
  residual = -b;
  for (Index j = 0; j < A.cols(); ++j)
    for (Index i = 0; i < A.rows(); ++i) residual[i] += A(i, j) * mu[j];
  for (const T& r : residual) sum += r * r;
  return sqrt(sum);
}

#define DAELAB_INSTANTIATE(T)           \
  template class ReducedMultipliers<T>; \
  template T multiplier_residual<T>(const Matrix<T>&, const Vector<T>&, const Vector<T>&, Vector<T>&);
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
