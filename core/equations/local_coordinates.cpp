#include "core/equations/local_coordinates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace daelab {

template <class T>
DependentPart<T>::DependentPart(Index constraints, Index coordinates)
    : qr_(std::max(constraints, coordinates)), x_(Vector<T>::Zero(coordinates)) {
  const Index size = std::max(constraints, coordinates);
  square_.setZero(size, size), Q_.setZero(size, size);
}

template <class T>
void DependentPart<T>::set_rank(Index rank) {
  if (rank == rank_) return;
  const Index n = x_.size();
  rank_ = rank;
  U_.setZero(rows_, rank), N_.setZero(n, rank), UJ_.setZero(rank, n), reduced_.setZero(rank);
  lu_.emplace(rank);
}

template <class T>
void DependentPart<T>::choose(const Matrix<T>& J, Index rows, LocalBasis basis, const CholeskyFactor<T>* mass,
                              Index rank) {
  using std::abs;
  using std::sqrt;
  const Index n = x_.size();
  rows_ = rows;
  square_.setZero();
  square_.topLeftCorner(rows, n) = J.topRows(rows);
  qr_.compute(square_);
  if (rank < 0) {
    const T least = sqrt(epsilon<T>()) * abs(qr_.pivot(0));
    for (rank = 0; rank < std::min(rows, n) && abs(qr_.pivot(rank)) > least;) ++rank;
  }
  set_rank(rank);
  qr_.orthogonal_factor(Q_);
  U_ = Q_.topLeftCorner(rows, rank);
  N_.setZero();
  for (Index k = 0; k < rank; ++k) {
    if (basis == LocalBasis::partition) {
      N_(qr_.column(k), k) = T(1);
      continue;
    }
    N_.col(k).noalias() = J.topRows(rows).transpose().lazyProduct(U_.col(k));
    if (mass != nullptr) mass->solve(N_.col(k));
  }
}

template <class T>
Status DependentPart<T>::factorize(const Matrix<T>& J) {
  if (rank_ == 0) return {};
  UJ_.noalias() = U_.transpose().lazyProduct(J.topRows(rows_));
  lu_->matrix().noalias() = UJ_.lazyProduct(N_);
  Status status = lu_->factorize();
  if (status.code == StatusCode::singular)
    status.cause = "local coordinates: those of the start of the step do not determine the others any more";
  return status;
}

template <class T>
const Vector<T>& DependentPart<T>::correction(const auto& row) {
  if (rank_ == 0) return x_;
  reduced_.noalias() = U_.transpose().lazyProduct(row.head(rows_));
  lu_->solve(reduced_);
  x_.noalias() = N_.lazyProduct(reduced_);
  return x_;
}

template <class T>
LocalCoordinates<T>::LocalCoordinates(MechanicalModel<T>& model, LocalBasis basis)
    : model_(model),
      basis_(basis),
      n_(model.coordinates()),
      m_(model.constraints()),
      holonomic_(m_ - model.nonholonomic()),
      holonomic_rows_(m_, n_),
      all_rows_(m_, n_),
      mass_(n_) {
  J_.setZero(m_, n_), rate_q_.setZero(m_, n_);
  C_.setZero(m_), row_.setZero(m_), zero_.setZero(n_), q_.setZero(n_);
}

// J_, and the factor of M where it is asked for.
template <class T>
Status LocalCoordinates<T>::evaluate_rows(const T& t, const Vector<T>& q, const Vector<T>& v) {
  model_.constraints_and_jacobian(t, q, v, C_, J_);
  if (mass() == nullptr) return {};
  model_.mass(t, q, mass_.matrix());
  if (mass_.factorize()) return {};
  return {StatusCode::singular, "local coordinates: the mass matrix is not positive definite: weights = identity"};
}

template <class T>
Status LocalCoordinates<T>::choose(const T& t, const Vector<T>& q, const Vector<T>& v) {
  if (const Status status = evaluate_rows(t, q, v); !status.ok()) return status;
  for (const Level level : {Level::position, Level::velocity}) {
    if (level == Level::velocity && holonomic_ == m_) break;
    DependentPart<T>& rows = part(level);
    const Index before = rows.rank();
    rows.choose(J_, level == Level::position ? holonomic_ : m_, basis_, mass());
    if (chosen_ && rows.rank() != before)
      return {
          StatusCode::singular,
          fmt::format("local coordinates: the rank of the constraints is {} at t = {}, and was {} before: a singular "
                      "position, where coordinates appear or vanish",
                      rows.rank(), to_text(t), before)};
  }
  chosen_ = true;
  return {};
}

template <class T>
Status LocalCoordinates<T>::choose(const T& t, const Vector<T>& q, const Vector<T>& v,
                                   const LocalCoordinates& with_ranks_of) {
  if (const Status status = evaluate_rows(t, q, v); !status.ok()) return status;
  holonomic_rows_.choose(J_, holonomic_, basis_, mass(), with_ranks_of.holonomic_rows_.rank());
  if (holonomic_ < m_) all_rows_.choose(J_, m_, basis_, mass(), with_ranks_of.all_rows_.rank());
  chosen_ = true;
  return {};
}

template <class T>
Status LocalCoordinates<T>::lift(const T& t, Vector<T>& q, Vector<T>& v) {
  if (const Status status = move_onto(Level::position, t, q, v); !status.ok()) return status;
  return move_onto(Level::velocity, t, q, v);
}

// The constraints are linear in v, unless they are nonholonomic: one correction solves them. Redundant rows off the
// position constraints contradict each other, and what is left in them says nothing.
template <class T>
Status LocalCoordinates<T>::lift_velocities(const T& t, const Vector<T>& q, Vector<T>& v) {
  model_.constraint(t, q, C_, J_);
  if (holonomic_ < m_) {
    q_ = q;
    return move_onto(Level::velocity, t, q_, v);
  }
  evaluate(Level::velocity, t, q, v);
  if (const Status status = holonomic_rows_.factorize(J_); !status.ok()) return status;
  v -= holonomic_rows_.correction(row_);
  return {};
}

// The violation cannot become smaller than what rounding x leaves; relative_violation is a multiple of that. The
// factorisation at the end is that of the point reached.
template <class T>
Status LocalCoordinates<T>::move_onto(Level level, const T& t, Vector<T>& q, Vector<T>& v) {
  using std::sqrt;
  constexpr int most_corrections = 20;
  Vector<T>& x = level == Level::position ? q : v;
  const bool linear = level == Level::velocity && part(level).rank() == m_ && holonomic_ == m_;
  T last(0), last_correction(0);
  for (int corrections = 0;; ++corrections) {
    evaluate(level, t, q, v);
    const T left = relative_violation(x);
    const bool stalls = corrections > 0 && T(2) * left >= last;
    const bool arrived = left <= T(2) * epsilon<T>() || (stalls && left <= sqrt(epsilon<T>()));
    if (arrived && level == Level::position) return {};
    if (const Status status = part(level).factorize(J_); !status.ok()) return status;
    if (arrived) return {};
    const Vector<T>& correction = part(level).correction(row_);
    const T size = correction.cwiseAbs().maxCoeff();
    const bool converges = corrections == 0 || T(2) * size <= last_correction || left <= sqrt(epsilon<T>());
    if (!converges || corrections == most_corrections || !(size <= std::numeric_limits<T>::max()))
      return {
          StatusCode::newton_diverged,
          fmt::format("local coordinates: the dependent {} are not found: the constraints are violated by {:.1e} "
                      "after {} corrections",
                      level == Level::position ? "positions" : "velocities", static_cast<double>(left), corrections)};
    last = left, last_correction = size;
    x -= correction;
    if (linear) return {};
  }
}

template <class T>
void LocalCoordinates<T>::evaluate(Level level, const T& t, const Vector<T>& q, const Vector<T>& v) {
  if (level == Level::position) {
    model_.constraint(t, q, row_, J_);
    row_.tail(m_ - holonomic_).setZero();
    return;
  }
  model_.velocity_constraint(t, q, v, C_, J_);
  model_.constraint_level(Level::velocity, t, q, v, zero_, row_);
}

// |row_i| against sum_j |J_ij| (1 + |x_j|): times epsilon, what rounding x leaves of a row.
template <class T>
T LocalCoordinates<T>::relative_violation(const Vector<T>& x) const {
  using std::abs;
  T largest(0);
  for (Index i = 0; i < m_; ++i) {
    if (row_[i] == T(0)) continue;
    T size(0);
    for (Index j = 0; j < n_; ++j) size += abs(J_(i, j)) * (T(1) + abs(x[j]));
    if (const T ratio = abs(row_[i]) / size; ratio > largest || ratio != ratio) largest = ratio;
  }
  return largest;
}

// dq = (I - N X) dq*, X = (U^T C_q N)^-1 U^T C_q; dv = (I - N X) dv* - N (U^T J N)^-1 U^T (J v + C_t)_q dq with N, U
// and X of all rows.
template <class T>
void LocalCoordinates<T>::lift_derivatives(const T& t, const Vector<T>& q, const Vector<T>& v, Matrix<T>& q_q,
                                           Matrix<T>& v_q, Matrix<T>& v_v) {
  DependentPart<T>& positions = part(Level::position);
  if (positions.factorize(J_).ok()) {
    q_q.setIdentity();
    for (Index j = 0; j < n_; ++j) q_q.col(j) -= positions.correction(J_.col(j));
  }
  lift_velocities_derivatives(t, q, v, q_q, v_q, v_v);
}

template <class T>
void LocalCoordinates<T>::lift_velocities_derivatives(const T& t, const Vector<T>& q, const Vector<T>& v,
                                                      const Matrix<T>& q_q, Matrix<T>& v_q, Matrix<T>& v_v) {
  DependentPart<T>& velocities = part(Level::velocity);
  model_.constraint_level_q(Level::velocity, t, q, v, zero_, rate_q_);
  if (!velocities.factorize(J_).ok()) return;
  v_v.setIdentity();
  for (Index j = 0; j < n_; ++j) {
    v_v.col(j) -= velocities.correction(J_.col(j));
    row_.noalias() = rate_q_.lazyProduct(q_q.col(j));
    v_q.col(j) = -velocities.correction(row_);
  }
}

#define DAELAB_INSTANTIATE(T)                                               \
  template class DependentPart<T>;                                          \
  template const Vector<T>& DependentPart<T>::correction(const Vector<T>&); \
  template class LocalCoordinates<T>;
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
