#include "core/solvers/multiplier_solver.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace daelab {

void SolveStatistics::add(const SolveReport& report, long count) {
  smallest_rank = solves == 0 ? report.rank : std::min(smallest_rank, report.rank);
  largest_rank = std::max(largest_rank, report.rank);
  solves += count;
  passes += count * report.passes;
  histogram[static_cast<std::size_t>(std::min(report.passes, longest))] += count;
  outcomes[static_cast<std::size_t>(report.outcome)] += count;
  refactorizations[static_cast<std::size_t>(report.refactorization)] += count;
  largest_residual = std::max(largest_residual, report.residual);
  if (report.outcome == SolveOutcome::floor) largest_floor = std::max(largest_floor, report.residual);
  flops += static_cast<double>(count) * report.flops;
}

std::string SolveStatistics::note(Index constraints) const {
  std::string text;
  if (const long floors = outcomes[static_cast<std::size_t>(SolveOutcome::floor)]; floors > 0)
    text = fmt::format(
        "residual floor {:.1e} reached in {} of {} solves: the constraints had drifted apart by this amount. ",
        largest_floor, floors, solves);
  if (pivot_fallbacks > 0)
    text +=
        fmt::format("fixed pivots were rejected in {} of {} solves, first at {}: these were solved with new pivots. ",
                    pivot_fallbacks, solves, first_pivot_fallback);
  if (solves > 0 && smallest_rank < constraints)
    text += "lambda is not unique: the constraints are redundant; reaction = C_q^T lambda is unique.";
  return text;
}

namespace {

// A matrix with entries that are no numbers is not singular.
template <class T>
Status finite(const Matrix<T>& A, Status status) {
  using std::abs;
  for (const T& entry : A.reshaped())
    if (!(abs(entry) <= std::numeric_limits<T>::max()))
      return {StatusCode::non_finite, "mass or constraint Jacobian are not finite"};
  return status;
}

}  // namespace

template <class T>
ReducedMultipliers<T>::ReducedMultipliers(Index coordinates, Index constraints) : mass_(coordinates) {
  W_.setZero(constraints, coordinates), A_.setZero(constraints, constraints), b_.setZero(constraints);
}

template <class T>
Status ReducedMultipliers<T>::solve_saddle_point(const SaddlePoint<T>& s, Vector<T>& a, Vector<T>& mu) {
  this->report_ = {};
  if (const Status status = factorize_mass(s); !status.ok()) return status;
  form_reduced_matrix(s.G);
  form_right_hand_side(s.f, s.h, a);
  if (b_.size() > 0)
    if (Status status = this->solve_reduced(A_, b_, mu); !status.ok()) return finite(A_, std::move(status));
  accelerate(mu, a);
  return {};
}

template <class T>
Status ReducedMultipliers<T>::solve_right_hand_side(const Vector<T>& f, const Vector<T>& h, Vector<T>& a,
                                                    Vector<T>& mu) {
  this->report_ = {};
  form_right_hand_side(f, h, a);
  if (b_.size() > 0)
    if (Status status = solve_reduced_again(A_, b_, mu); !status.ok()) return status;
  accelerate(mu, a);
  return {};
}

template <class T>
Status ReducedMultipliers<T>::factorize_mass(const SaddlePoint<T>& s) {
  if (mass_is_factorized_) return {};
  mass_.matrix() = s.M;
  if (!mass_.factorize())
    return finite(s.M, {StatusCode::singular,
                        "the mass matrix is not positive definite: with independent constraints "
                        "the multiplier solver kkt-lu takes singular ones"});
  mass_is_factorized_ = s.constant_mass;
  return {};
}

// Column by column of W, which holds the rows of L^-1 G^T; its columns are contiguous.
template <class T>
void ReducedMultipliers<T>::form_reduced_matrix(const Matrix<T>& G) {
  const Index m = W_.rows(), n = W_.cols();
  W_ = G;
  mass_.solve_lower_rows(W_);
  A_.setZero();
  for (Index k = 0; k < n; ++k)
    for (Index j = 0; j < m; ++j) {
      const T factor = W_(j, k);
      if (factor == T(0)) continue;
      for (Index i = j; i < m; ++i) A_(i, j) += W_(i, k) * factor;
    }
  for (Index j = 0; j < m; ++j)
    for (Index i = j + 1; i < m; ++i) A_(j, i) = A_(i, j);
}

// a := L^-1 f, b := W a + h
template <class T>
void ReducedMultipliers<T>::form_right_hand_side(const Vector<T>& f, const Vector<T>& h, Vector<T>& a) {
  a = f;
  mass_.solve_lower(a);
  b_ = h;
  for (Index k = 0; k < W_.cols(); ++k) {
    const T factor = a[k];
    for (Index i = 0; i < W_.rows(); ++i) b_[i] += W_(i, k) * factor;
  }
}

// a := L^-T (a - W^T mu)
template <class T>
void ReducedMultipliers<T>::accelerate(const Vector<T>& mu, Vector<T>& a) const {
  for (Index k = 0; k < W_.cols(); ++k) {
    T force = a[k];
    for (Index i = 0; i < W_.rows(); ++i) force -= W_(i, k) * mu[i];
    a[k] = force;
  }
  mass_.solve_lower_transposed(a);
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
