#include "core/equations/lifted_system.hpp"

namespace daelab {

template <class T>
LiftedLinearization<T>::LiftedLinearization(MechanicalModel<T>& model, LocalBasis basis,
                                            const LocalCoordinates<T>& of_steps,
                                            std::unique_ptr<Linearization<T>> of_index_1)
    : n_(model.coordinates()),
      m_(model.constraints()),
      of_steps_(of_steps),
      of_index_1_(std::move(of_index_1)),
      coordinates_(model, basis),
      accelerations_(n_, m_),
      y_(2 * n_ + m_),
      q_(n_),
      v_(n_) {
  for (Matrix<T>* x : {&blocks_.L_q, &blocks_.a_q, &blocks_.a_v, &v_q_}) x->setZero(n_, n_);
  for (Matrix<T>* x : {&blocks_.L_v, &q_q_, &v_v_}) x->setIdentity(n_, n_);
  for (Matrix<T>* x : {&blocks_.lambda_q, &blocks_.lambda_v}) x->setZero(m_, n_);
  for (Matrix<T>* x : {&F_y_, &F_ydot_}) x->setZero(2 * n_ + m_, 2 * n_ + m_);
}

// Factorisations refuse what is not a number.
template <class T>
void LiftedLinearization<T>::evaluate(const T& t, const Vector<T>& y, const Vector<T>& ydot) {
  q_ = y.head(n_), v_ = y.segment(n_, n_);
  const bool ranks_are_known = of_steps_.chosen();
  Status status = ranks_are_known ? coordinates_.choose(t, q_, v_, of_steps_) : coordinates_.choose(t, q_, v_);
  if (status.ok()) status = lift(coordinates_, t, q_, v_);
  y_ = y;
  y_.head(n_) = q_, y_.segment(n_, n_) = v_;
  if (!status.ok() || !accelerations_.evaluate(*of_index_1_, t, y_, ydot)) {
    blocks_.a_q.setConstant(std::numeric_limits<T>::quiet_NaN());
    return;
  }
  differentiate(coordinates_, t, q_, v_, q_q_, v_q_, v_v_);
  const Matrix<T>&by_q = accelerations_.by_q(), &by_v = accelerations_.by_v();
  blocks_.a_q.noalias() = by_q.topRows(n_).lazyProduct(q_q_) + by_v.topRows(n_).lazyProduct(v_q_);
  blocks_.a_v.noalias() = by_v.topRows(n_).lazyProduct(v_v_);
  blocks_.lambda_q.noalias() = by_q.bottomRows(m_).lazyProduct(q_q_) + by_v.bottomRows(m_).lazyProduct(v_q_);
  blocks_.lambda_v.noalias() = by_v.bottomRows(m_).lazyProduct(v_v_);
}

template <class T>
void LiftedLinearization<T>::coupled(SparseMatrix<T>& F_y, SparseMatrix<T>& F_ydot) {
  F_y_.setZero(), F_ydot_.setZero();
  F_ydot_.topLeftCorner(2 * n_, 2 * n_).setIdentity();
  F_y_.block(0, 0, n_, n_) = -blocks_.L_q, F_y_.block(0, n_, n_, n_) = -blocks_.L_v;
  F_y_.block(n_, 0, n_, n_) = -blocks_.a_q, F_y_.block(n_, n_, n_, n_) = -blocks_.a_v;
  F_y_.block(2 * n_, 0, m_, n_) = -blocks_.lambda_q, F_y_.block(2 * n_, n_, m_, n_) = -blocks_.lambda_v;
  F_y_.bottomRightCorner(m_, m_).setIdentity();
  F_y.take(full_), F_ydot.take(full_);
  F_y.values = F_y_.reshaped(), F_ydot.values = F_ydot_.reshaped();
}

template <class T>
LiftedSystem<T>::LiftedSystem(MechanicalModel<T>& model, LocalBasis basis, Multipliers<T>& multipliers,
                              BasisPoint point)
    : ConstrainedSystem<T>(model, Level::acceleration, multipliers),
      layout_{model.coordinates(), model.constraints()},
      basis_(basis),
      point_(point),
      coordinates_(model, basis) {
  this->facts_.projects = layout_.m > 0;
  this->facts_.stabilizes = true;
  lifted_.setZero(this->size());
  for (Vector<T>* x : {&q_, &v_}) x->setZero(layout_.n);
}

template <class T>
Status LiftedSystem<T>::start_step(const T& t, const T& /*h*/, const Vector<T>& y) {
  if (layout_.m == 0 || (point_ == BasisPoint::start && coordinates_.chosen())) return {};
  return choose_at(t, y);
}

template <class T>
Status LiftedSystem<T>::choose_at(const T& t, const Vector<T>& y) {
  if (point_ == BasisPoint::start) {
    q_ = this->model_.initial_q(), v_ = this->model_.initial_v();
    return choose(coordinates_, this->model_.initial_t(), q_, v_);
  }
  q_ = layout_.q(y), v_ = layout_.v(y);
  return choose(coordinates_, t, q_, v_);
}

template <class T>
Status LiftedSystem<T>::project(const T& t, Vector<T>& y) {
  if (layout_.m == 0) return {};
  if (!coordinates_.chosen())
    if (const Status status = choose_at(t, y); !status.ok()) return status;
  q_ = layout_.q(y), v_ = layout_.v(y);
  const Status status = lift(coordinates_, t, q_, v_);
  y.head(layout_.n) = q_;
  y.segment(layout_.n, layout_.n) = v_;
  return status;
}

template <class T>
void LiftedSystem<T>::residual(const T& t, const Vector<T>& y, const Vector<T>& ydot, Vector<T>& F) {
  if (!this->resolved_residual(t, y, ydot, F).ok()) F.setConstant(std::numeric_limits<T>::quiet_NaN());
}

template <class T>
Status LiftedSystem<T>::resolved_residual(const T& t, const Vector<T>& y, const Vector<T>& ydot, Vector<T>& F) {
  lifted_ = y;
  if (const Status status = project(t, lifted_); !status.ok()) return status;
  return ConstrainedSystem<T>::resolved_residual(t, lifted_, ydot, F);
}

template <class T>
Status LiftedSystem<T>::consistent_derivatives(const T& t, Vector<T>& y, Vector<T>& ydot) {
  lifted_ = y;
  if (const Status status = project(t, lifted_); !status.ok()) return status;
  if (const Status status = ConstrainedSystem<T>::consistent_derivatives(t, lifted_, ydot); !status.ok()) return status;
  y.tail(layout_.m) = layout_.lambda(lifted_);
  return {};
}

template <class T>
std::unique_ptr<Linearization<T>> LiftedSystem<T>::linearization() {
  auto of_index_1 = ConstrainedSystem<T>::linearization();
  return layout_.m == 0 ? std::move(of_index_1) : lifted_linearization(basis_, coordinates_, std::move(of_index_1));
}

#define DAELAB_INSTANTIATE(T)            \
  template class LiftedLinearization<T>; \
  template class LiftedSystem<T>;
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
