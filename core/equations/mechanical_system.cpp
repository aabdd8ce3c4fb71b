#include "core/equations/mechanical_system.hpp"

#include "core/equations/mechanical_linearization.hpp"
#include "core/equations/residual_lanes.hpp"
#include "core/solvers/redundant_rows.hpp"

namespace daelab {

void refuse_redundant_nonlinear(bool linear_equations, bool redundant) {
  if (redundant && !linear_equations)
    throw NotApplicable(
        "forces that depend on multipliers, and algebraic states, need independent constraints and a multiplier solver "
        "for these, such as schur-cholesky: with redundant ones multipliers are not unique");
}

template <class T>
ConstrainedSystem<T>::ConstrainedSystem(MechanicalModel<T>& model, Level level, Multipliers<T>& multipliers,
                                        BaumgarteGains<T> gains)
    : model_(model),
      level_(level),
      acceleration_solver_(model, multipliers, gains),
      redundant_(multipliers.facts().redundant_constraints && model.constraints() > 0
                     ? std::make_unique<RedundantRows<T>>(model.constraints(), model.coordinates())
                     : nullptr),
      gains_(gains),
      layout_{model.coordinates(), model.multipliers()} {
  refuse_redundant_nonlinear(model.has_linear_equations(), redundant_ != nullptr);
  this->facts_ = facts_of_level();
  const Index n = layout_.n, m = constraints();
  if (redundant_) M_.setZero(n, n), J_.setZero(m, n);
  for (Vector<T>* x : {&q_, &v_, &a_, &Q_}) x->setZero(n);
  for (Vector<T>* x : {&C_, &rate_}) x->setZero(m);
  for (Vector<T>* x : {&lambda_, &row_}) x->setZero(layout_.m);
}

template <class T>
ConstrainedSystem<T>::~ConstrainedSystem() = default;

template <class T>
SystemFacts ConstrainedSystem<T>::facts_of_level() const {
  const Index n = layout_.n, m = constraints();
  const bool has_state_space_form = level_ == Level::acceleration || m == 0;
  const bool is_nonholonomic = level_ == Level::position && model_.nonholonomic() == m;
  const int index = m == 0 ? (layout_.m == 0 ? 0 : 1) : is_nonholonomic ? 2 : 3 - static_cast<int>(level_);
  return {.size = 2 * n + layout_.m,
          .differential = 2 * n,
          .index = index,
          .positions = n,
          .stabilizes = !gains_.zero(),
          .explicit_form_refusal = has_state_space_form
                                       ? ""
                                       : "explicit methods need accelerations as a function of (q, v): "
                                         "use the index-1 formulation"};
}

template <class T>
void ConstrainedSystem<T>::residual(const T& t, const Vector<T>& y, const Vector<T>& ydot, Vector<T>& F) {
  const Index n = layout_.n;
  F.head(n) = ydot.head(n) - layout_.v(y);
  model_.residual(level_, t, y.data(), y.data() + n, ydot.data() + n, y.data() + 2 * n, F.data() + n, F.data() + 2 * n);
  if (gains_.zero() && !redundant_) return;
  q_ = layout_.q(y), v_ = layout_.v(y), a_ = layout_.a(ydot), lambda_ = layout_.lambda(y);
  row_ = layout_.lambda(F);
  if (!gains_.zero()) {
    model_.constraint_level(Level::position, t, q_, v_, a_, C_);
    model_.constraint_level(Level::velocity, t, q_, v_, a_, rate_);
    row_.head(constraints()) += gains_.velocity * rate_ + gains_.position * C_;
  }
  if (redundant_) {
    model_.data(t, q_, v_, M_, Q_, J_, C_);
    redundant_->find(J_, M_);
    redundant_->replace(row_, lambda_);
  }
  F.tail(layout_.m) = row_;
}

template <class T>
Status ConstrainedSystem<T>::resolved_residual(const T& t, const Vector<T>& y, const Vector<T>& ydot, Vector<T>& F) {
  if (level_ != Level::acceleration) {
    residual(t, y, ydot, F);
    return {};
  }
  const Index n = layout_.n, m = layout_.m;
  q_ = layout_.q(y), v_ = layout_.v(y);
  take_multipliers(y);
  const Status status = acceleration_solver_.solve(t, q_, v_, a_, lambda_);
  F.head(n) = ydot.head(n) - v_;
  F.segment(n, n) = layout_.a(ydot) - a_;
  F.tail(m) = layout_.lambda(y) - lambda_;
  return status;
}

template <class T>
std::unique_ptr<Linearization<T>> ConstrainedSystem<T>::linearization() {
  return make_mechanical_linearization<T>(model_, level_, gains_, redundant_.get());
}

template <class T>
bool ConstrainedSystem<T>::generated_derivatives(const T& t, Vector<T>& y, Vector<T>& ydot) {
  const Index n = layout_.n;
  T *x = y.data(), *rate = ydot.data();
  if (!acceleration_solver_.generated(t, x, x + n, rate + n, x + 2 * n)) return false;
  std::copy_n(x + n, n, rate);
  return true;
}

template <class T>
bool ConstrainedSystem<T>::generated_derivatives_at_lanes(const Vector<T>& t, Matrix<T>& Y, Matrix<T>& Ydot,
                                                          Index count) {
  const Index row = lane_count * layout_.n;
  T *x = Y.data(), *rate = Ydot.data();
  if (!acceleration_solver_.generated_at_lanes(t.data(), x, x + row, rate + row, x + 2 * row, count)) return false;
  std::copy_n(x + row, row, rate);
  return true;
}

template <class T>
Status ConstrainedSystem<T>::consistent_derivatives(const T& t, Vector<T>& y, Vector<T>& ydot) {
  if (generated_derivatives(t, y, ydot)) return {};
  const Index n = layout_.n, m = layout_.m;
  q_ = layout_.q(y), v_ = layout_.v(y);
  take_multipliers(y);
  const Status status = acceleration_solver_.solve(t, q_, v_, a_, lambda_);
  if (!status.ok()) return status;
  ydot.head(n) = v_;
  ydot.segment(n, n) = a_;
  y.tail(m) = lambda_;
  return {};
}

template <class T>
void ConstrainedSystem<T>::correction_weights(const T& h, const Vector<T>& y, Vector<T>& w) const {
  using std::abs;
  const Index n = layout_.n, m = layout_.m;
  // Without constraints nothing amplifies round-off.
  const T velocity = level_ == Level::position && constraints() > 0 ? T(h * h) : h;
  for (Index i = 0; i < n; ++i) {
    w[i] = h / (T(1) + abs(y[i]));
    w[n + i] = velocity / (T(1) + abs(y[n + i]));
  }
  for (Index i = 2 * n; i < 2 * n + m; ++i) w[i] = velocity / (T(1) + abs(y[i]));
}

template <class T>
OneLevelSystem<T>::OneLevelSystem(MechanicalModel<T>& model, Level level, Multipliers<T>& multipliers)
    : ConstrainedSystem<T>(model, level, multipliers) {
  if constexpr (std::is_same_v<T, double>)
    if (!this->imposes_more_than_constraints()) lanes_ = ResidualLanes::of(model, level, this->acceleration_solver_);
}

template <class T>
OneLevelSystem<T>::~OneLevelSystem() = default;

template <class T>
Status OneLevelSystem<T>::derivatives_at_lanes(const Vector<T>& t, Matrix<T>& Y, Matrix<T>& Ydot, Index count) {
  if (this->generated_derivatives_at_lanes(t, Y, Ydot, count)) return {};
  return System<T>::derivatives_at_lanes(t, Y, Ydot, count);
}

template <class T>
Status OneLevelSystem<T>::resolved_residuals(const Vector<T>& t, const Matrix<T>& Y, const Matrix<T>& Ydot,
                                             Matrix<T>& R) {
  if constexpr (std::is_same_v<T, double>)
    if (lanes_ && lanes_->evaluate(t, Y, Ydot, R)) return {};
  return System<T>::resolved_residuals(t, Y, Ydot, R);
}

#define DAELAB_INSTANTIATE(T)          \
  template class ConstrainedSystem<T>; \
  template class OneLevelSystem<T>;
DAELAB_INSTANTIATED_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
