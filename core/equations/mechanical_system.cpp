#include "core/equations/mechanical_system.hpp"

#include "core/equations/mechanical_linearization.hpp"
#include "core/equations/residuals_together.hpp"
#include "core/solvers/redundant_rows.hpp"

namespace daelab {

void refuse_redundant_nonlinear(bool linear_balance, bool redundant) {
  if (redundant && !linear_balance)
    throw NotApplicable(
        "forces that depend on multipliers, and algebraic states, need independent constraints and a multiplier solver "
        "for these, such as schur-cholesky: with redundant ones multipliers are not unique");
}

template <class T>
ConstrainedSystem<T>::ConstrainedSystem(MechanicalModel<T>& model, Level level, Multipliers<T>& multipliers,
                                        BaumgarteGains<T> gains)
    : model_(model),
      level_(level),
      redundant_(multipliers.handles_redundant_constraints() && model.constraints() > 0
                     ? std::make_unique<RedundantRows<T>>(model.constraints(), model.coordinates())
                     : nullptr),
      gains_(gains),
      layout_{model.coordinates(), model.multipliers()},
      acceleration_solver_(model, multipliers, gains) {
  refuse_redundant_nonlinear(model.has_linear_balance(), redundant_ != nullptr);
  const Index n = layout_.n, m = constraints();
  if (redundant_) M_.setZero(n, n), J_.setZero(m, n);
  const bool takes_elimination = level != Level::acceleration || acceleration_solver_.tries_written_out();
  if constexpr (std::is_same_v<T, double>)
    if (gains.zero() && !redundant_ && takes_elimination) together_ = ResidualsTogether::of(model, level);
  for (Vector<T>* x : {&q_, &v_, &a_, &Q_}) x->setZero(n);
  for (Vector<T>* x : {&C_, &rate_}) x->setZero(m);
  for (Vector<T>* x : {&lambda_, &row_}) x->setZero(layout_.m);
}

template <class T>
ConstrainedSystem<T>::~ConstrainedSystem() = default;

template <class T>
int ConstrainedSystem<T>::index() const {
  if (constraints() == 0) return layout_.m == 0 ? 0 : 1;
  if (level_ == Level::position && model_.nonholonomic() == constraints()) return 2;
  return 3 - static_cast<int>(level_);
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
bool ConstrainedSystem<T>::residuals_together(const Vector<T>& t, const Matrix<T>& Y, const Matrix<T>& Ydot,
                                              Matrix<T>& R) {
  if constexpr (std::is_same_v<T, double>) {
    if (!together_ || !together_->evaluate(t, Y, Ydot, R)) return false;
    if (level_ == Level::acceleration) acceleration_solver_.count_written_out(Y.cols());
    return true;
  }
  return false;
}

template <class T>
std::unique_ptr<Linearization<T>> ConstrainedSystem<T>::linearization() {
  return make_mechanical_linearization<T>(model_, level_, gains_, redundant_.get());
}

template <class T>
bool ConstrainedSystem<T>::written_out_derivatives(const T& t, Vector<T>& y, Vector<T>& ydot) {
  const Index n = layout_.n;
  T *x = y.data(), *rate = ydot.data();
  if (!acceleration_solver_.written_out(t, x, x + n, rate + n, x + 2 * n)) return false;
  std::copy_n(x + n, n, rate);
  return true;
}

template <class T>
Status ConstrainedSystem<T>::consistent_derivatives(const T& t, Vector<T>& y, Vector<T>& ydot) {
  if (written_out_derivatives(t, y, ydot)) return {};
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
std::string ConstrainedSystem<T>::explicit_form_refusal() const {
  if (level_ == Level::acceleration || constraints() == 0) return "";
  return "explicit methods need accelerations as a function of (q, v): use the index-1 formulation";
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

#define DAELAB_INSTANTIATE(T) template class ConstrainedSystem<T>;
DAELAB_INSTANTIATED_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
