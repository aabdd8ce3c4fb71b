#include "core/accelerations/implicit_accelerations.hpp"

#include "core/base/norm.hpp"

namespace daelab {
template <class T>
ImplicitAccelerations<T>::ImplicitAccelerations(MechanicalModel<T>& model, const BaumgarteGains<T>& gains)
    : model_(model),
      gains_(gains),
      n_(model.coordinates()),
      m_(model.constraints()),
      l_(model.multipliers()),
      newton_(NewtonOptions::full()),
      lu_(0) {
  for (Vector<T>* x : {&q_, &v_, &a_, &motion_}) x->setZero(n_);
  for (Vector<T>* x : {&mu_, &row_}) x->setZero(l_);
  for (Vector<T>* x : {&feedback_, &level_}) x->setZero(m_);
  x_.setZero(n_ + l_);
}

template <class T>
Status ImplicitAccelerations<T>::solve(const T& t, const Vector<T>& q, const Vector<T>& v, Vector<T>& a,
                                       Vector<T>& mu) {
  t_ = t, q_ = q, v_ = v, mu_ = mu;
  a_.setZero();  // the equations of motion are linear in a: the first correction forgets where it begins
  feedback_.setZero();
  if (!gains_.zero()) {
    model_.constraint_level(Level::position, t, q_, v_, a_, level_);
    feedback_ += gains_.position * level_;
    model_.constraint_level(Level::velocity, t, q_, v_, a_, level_);
    feedback_ += gains_.velocity * level_;
  }
  if (Status status = newton<T>(newton_, *this, false, statistics_); !status.ok()) {
    status.cause = "the accelerations: " + status.cause;
    return status;
  }
  a = a_, mu = mu_;
  return {};
}

template <class T>
void ImplicitAccelerations<T>::arrange() {
  pattern_ = blocks_.K.pattern;
  lu_ = BlockLu<T>(n_ + l_);
  lu_.add(blocks_.M.pattern, 0, 0), lu_.add(blocks_.J.pattern, 0, n_, true), lu_.add(blocks_.Q_mu.pattern, 0, n_);
  lu_.add(blocks_.R_a.pattern, n_, 0), lu_.add(blocks_.g_mu.pattern, n_ + m_, n_);
  lu_.complete();
}

template <class T>
Status ImplicitAccelerations<T>::linearize() {
  model_.blocks(Level::acceleration, t_, q_, v_, a_, mu_, blocks_);
  if (pattern_ != blocks_.K.pattern) arrange();
  lu_.clear();
  std::size_t block = 0;
  for (const SparseMatrix<T>* part : {&blocks_.M, &blocks_.J, &blocks_.Q_mu, &blocks_.R_a, &blocks_.g_mu})
    lu_.accumulate(block++, *part);
  Status status = lu_.factorize();
  if (status.code == StatusCode::singular)
    status.cause =
        "the equations of motion, the constraints and the algebraic equations do not determine accelerations and "
        "multipliers here: " +
        status.cause;
  return status;
}

template <class T>
Status ImplicitAccelerations<T>::evaluate() {
  model_.residual(Level::acceleration, t_, q_, v_, a_, mu_, motion_, row_);
  row_.head(m_) += feedback_;
  x_ << motion_, row_;
  return {};
}

template <class T>
void ImplicitAccelerations<T>::correct(const T& relaxation) {
  lu_.solve(x_);
  a_ -= relaxation * x_.head(n_);
  mu_ -= relaxation * x_.tail(l_);
}

template <class T>
T ImplicitAccelerations<T>::residual_size() {
  return max_norm(x_);
}

template <class T>
T ImplicitAccelerations<T>::correction_size() {
  using std::abs;
  NormOf<T> norm;
  for (Index i = 0; i < n_; ++i) norm.add(x_[i] / (T(1) + abs(a_[i])));
  for (Index i = 0; i < l_; ++i) norm.add(x_[n_ + i] / (T(1) + abs(mu_[i])));
  return norm.value();
}

#define DAELAB_INSTANTIATE(T) template class ImplicitAccelerations<T>;
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
