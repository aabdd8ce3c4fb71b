#include "core/equations/stabilized_system.hpp"

#include "core/equations/stabilized_linearization.hpp"
#include "core/solvers/redundant_rows.hpp"

namespace daelab {

template <class T>
StabilizedSystem<T>::StabilizedSystem(MechanicalModel<T>& model, Levels levels, Multipliers<T>& multipliers)
    : model_(model),
      levels_(static_cast<Index>(levels)),
      constraints_(model.constraints()),
      holonomic_(model.constraints() - model.nonholonomic()),
      layout_{model.coordinates(), model.multipliers()},
      redundant_(multipliers.facts().redundant_constraints && model.constraints() > 0
                     ? std::make_unique<RedundantRows<T>>(model.constraints(), model.coordinates())
                     : nullptr),
      acceleration_solver_(model, multipliers) {
  refuse_redundant_nonlinear(model.has_linear_equations(), redundant_ != nullptr);
  const Index n = layout_.n, m = constraints_, l = layout_.m;
  const Index before_accelerations = 2 * n + l + holonomic_;
  if (levels == Levels::all) layout_.accelerations = before_accelerations + m;
  const Index size = levels == Levels::all ? layout_.accelerations + n : before_accelerations;
  this->facts_ = {.size = size,
                  .differential = 2 * n,
                  .index = m > 0          ? 2
                           : size > 2 * n ? 1
                                          : 0,
                  .positions = n,
                  .multipliers_in_velocities = size > 2 * n,
                  .accelerations = layout_.accelerations,
                  .explicit_form_refusal =
                      "explicit methods need accelerations as a function of (q, v): use the index-1 formulation"};
  for (Vector<T>* x : {&q_, &v_, &a_}) x->setZero(n);
  for (Vector<T>* x : {&mu_, &tau_}) x->setZero(m);
  lambda_.setZero(l);
}

template <class T>
StabilizedSystem<T>::~StabilizedSystem() = default;

template <class T>
void StabilizedSystem<T>::residual(const T& t, const Vector<T>& y, const Vector<T>& ydot, Vector<T>& F) {
  const Index n = layout_.n, m = constraints_, l = layout_.m, h = holonomic_;
  const bool all = layout_.accelerations > 0;
  q_ = layout_.q(y), v_ = layout_.v(y), lambda_ = layout_.lambda(y), mu_.head(h) = y.segment(2 * n + l, h);
  a_ = all ? y.tail(n) : ydot.segment(n, n);
  model_.levels(all ? Level::acceleration : Level::velocity, t, q_, v_, a_, lambda_, x_);
  F.segment((all ? layout_.accelerations : this->size()) - (l - m), l - m) = x_.position.tail(l - m);
  if (redundant_) {
    model_.data(t, q_, v_, data_);
    redundant_->find(x_.J, data_.M);
  }
  const auto put = [&](Index first, Index size, Vector<T>& rows, const Vector<T>& multipliers) {
    if (redundant_) redundant_->replace(rows, multipliers);
    F.segment(2 * n + first, size) = rows.head(size);
  };
  put(0, h, x_.position, mu_);
  put(h, m, x_.velocity, lambda_);
  F.head(n) = ydot.head(n) - v_;
  mu_.tail(m - h).setZero();
  x_.J.add_transposed_product(mu_, F.head(n), T(1));
  if (all) {
    tau_ = y.segment(2 * n + l + h, m);
    put(h + m, m, x_.acceleration, tau_);
    F.segment(n, n) = ydot.segment(n, n) - a_;
    x_.J.add_transposed_product(tau_, F.segment(n, n), T(1));
  }
  F.segment(all ? layout_.accelerations : n, n) = x_.motion;
}

template <class T>
std::unique_ptr<Linearization<T>> StabilizedSystem<T>::linearization() {
  return make_stabilized_linearization<T>(model_, levels_, redundant_.get());
}

template <class T>
Status StabilizedSystem<T>::consistent_derivatives(const T& t, Vector<T>& y, Vector<T>& ydot) {
  const Index n = layout_.n;
  q_ = layout_.q(y), v_ = layout_.v(y);
  if (!model_.has_linear_equations()) lambda_ = layout_.lambda(y);
  const Status status = acceleration_solver_.solve(t, q_, v_, a_, lambda_);
  if (!status.ok()) return status;
  ydot.head(n) = v_;
  ydot.segment(n, n) = a_;
  y.tail(y.size() - 2 * n).setZero();
  y.segment(2 * n, layout_.m) = lambda_;
  if (layout_.accelerations > 0) y.tail(n) = a_;
  return {};
}

template <class T>
void StabilizedSystem<T>::correction_weights(const T& h, const Vector<T>& y, Vector<T>& w) const {
  using std::abs;
  for (Index i = 0; i < y.size(); ++i) w[i] = h / (T(1) + abs(y[i]));
}

#define DAELAB_INSTANTIATE(T) template class StabilizedSystem<T>;
DAELAB_INSTANTIATED_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
