#include "methods/lie_group/displacement_step.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/equations/dense_refusal.hpp"
#include "core/start/consistent_start.hpp"

namespace daelab {

std::vector<std::string> names_of(EndConstraints) { return {"positions", "both"}; }

namespace {

template <class T>
MechanicalBlocks<T> blocks_of(Index n, Index m) {
  const auto zero = [](Index rows, Index columns) { return Matrix<T>(Matrix<T>::Zero(rows, columns)); };
  return {zero(n, n), zero(n, n), zero(n, n), zero(m, n), zero(m, n), zero(m, n), zero(m, n), {}, {}, {}, {}};
}

}  // namespace

template <class T>
DisplacementStep<T>::DisplacementStep(MechanicalModel<T>& model, LeftModel<T>& left, EndConstraints constraints,
                                      const NewtonOptions& newton)
    : model_(model),
      left_(left),
      settings_(newton),
      n_(model.coordinates()),
      m_(model.constraints()),
      blocks_(blocks_of<T>(n_, m_)),
      lu_(n_ + (constraints == EndConstraints::both ? 2 : 1) * m_),
      end_(left.configuration()) {
  settings_.set_tolerance(epsilon<T>());
  eta_.setZero(constraints == EndConstraints::both ? m_ : 0);
  for (Vector<T>* x : {&D, &relation.r, &relation.s, &w_, &v_, &a_, &hD_, &motion_row_}) x->setZero(n_);
  for (Vector<T>* x : {&lambda, &row_}) x->setZero(m_);
  R_.setZero(n_ + m_ + eta_.size());
  B0_.setZero(m_, n_);
  for (Matrix<T>* A : {&A_, &AT_}) A->setZero(n_, n_);
}

template <class T>
void DisplacementStep<T>::begin(const T& t, const T& h, const Configuration<T>& g0, Statistics& statistics) {
  start_ = &g0, statistics_ = &statistics;
  t_ = t + h, h_ = h;
  eta_.setZero();
  if (!stabilized()) return;
  left_.go_to(g0);
  model_.constraint(t, g0.q, row_, B0_);
}

template <class T>
Status DisplacementStep<T>::solve() {
  if (const Status status = newton<T>(settings_, *this, false, *statistics_); !status.ok()) return status;
  // What the iteration leaves of positions is 1/h times as large in velocities.
  evaluate();
  correct(T(1));
  ++statistics_->newton_iterations;
  place();
  return {};
}

template <class T>
void DisplacementStep<T>::place() {
  hD_ = h_ * D;
  end_.q = start_->q, end_.held = start_->held;
  left_.space.move(lie::Retraction::exponential, hD_, end_);
  left_.go_to(end_);
  w_ = D;
  if (stabilized()) w_.noalias() += B0_.transpose().lazyProduct(eta_);
  v_ = relation.c * w_ + relation.r;
  a_ = (relation.d / h_) * w_ + relation.s;
}

// Rows of the equations of motion times h, of positions over h.
template <class T>
Status DisplacementStep<T>::evaluate() {
  place();
  model_.residual(Level::position, t_, end_.q, v_, a_, lambda, motion_row_, row_);
  R_.head(n_) = h_ * motion_row_;
  R_.segment(n_, m_) = row_ / h_;
  if (stabilized()) {
    model_.constraint_level(Level::velocity, t_, end_.q, v_, a_, row_);
    R_.tail(m_) = row_;
  }
  ++statistics_->residuals;
  return {};
}

// Derivatives by coordinates about the base are those along the group up to terms of the size of what is left out of
// any Jacobian of one a step: (h v)^2 of them.
template <class T>
Status DisplacementStep<T>::linearize() {
  place();
  model_.blocks(stabilized() ? Level::velocity : Level::position, t_, end_.q, v_, a_, lambda, blocks_);
  left_.space.tangent_matrix(hD_, AT_);
  const MechanicalBlocks<T>& x = blocks_;
  Matrix<T>& J = lu_.matrix();
  J.setZero();
  A_ = relation.d * x.M + (h_ * relation.c) * x.D;
  J.topLeftCorner(n_, n_) = A_;
  J.topLeftCorner(n_, n_).noalias() += (h_ * h_) * x.K.lazyProduct(AT_);
  J.block(0, n_, n_, m_) = x.J.transpose();
  J.block(n_, 0, m_, n_).noalias() = x.J.lazyProduct(AT_);
  if (stabilized()) {
    J.block(0, n_ + m_, n_, m_).noalias() = A_.lazyProduct(B0_.transpose());
    J.block(n_ + m_, 0, m_, n_) = relation.c * x.J;
    J.block(n_ + m_, 0, m_, n_).noalias() += h_ * x.R_q.lazyProduct(AT_);
    J.block(n_ + m_, n_ + m_, m_, m_).noalias() = relation.c * x.J.lazyProduct(B0_.transpose());
  }
  ++statistics_->jacobians, ++statistics_->factorizations;
  Status status = lu_.factorize();
  if (status.code == StatusCode::singular)
    status.cause = "the matrix of a step is singular: dependent constraints, or a step that is too long";
  return status;
}

template <class T>
void DisplacementStep<T>::correct(const T& relaxation) {
  lu_.solve(R_);
  ++statistics_->back_solves;
  D -= relaxation * R_.head(n_);
  lambda -= (relaxation / h_) * R_.segment(n_, m_);
  if (stabilized()) eta_ -= relaxation * R_.tail(m_);
}

template <class T>
T DisplacementStep<T>::correction_size() {
  using std::abs;
  NormOf<T> norm;
  for (Index i = 0; i < n_; ++i) norm.add(T(h_ * R_[i] / (T(1) + abs(start_->q[i]))));
  return norm.value();
}

template <class T>
void require_group_step(System<T>& system, MechanicalModel<T>& model) {
  if (model.nonholonomic() > 0)
    throw NotApplicable("the method needs holonomic constraints: it imposes their positions");
  const Index n = model.coordinates(), m = model.constraints();
  if (system.size() != 2 * n + m || (m > 0 && system.index() != 3) || system.facts().stabilizes)
    throw NotApplicable("the method imposes the levels of the constraints itself: use the index-3 formulation");
  if (model.charts() > 1)
    throw NotApplicable("the method has no change of charts: use coordinates on a group, or a problem with one chart");
  if (const std::string refusal = dense_refusal("the method", model); !refusal.empty()) throw NotApplicable(refusal);
  if (const auto rank = analyse_start(model, model.initial_q(), model.initial_v()).rank; rank < m)
    throw NotApplicable(
        fmt::format("the method needs independent constraints, and C_q has rank {} of {}: choose an explicit method on "
                    "projected, or an implicit one on index-2 or ggl",
                    rank, m));
}

#define DAELAB_INSTANTIATE(T)         \
  template class DisplacementStep<T>; \
  template void require_group_step<T>(System<T>&, MechanicalModel<T>&);
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
