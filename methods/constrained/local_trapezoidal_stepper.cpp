#include "methods/constrained/local_trapezoidal_stepper.hpp"

#include <cmath>

#include "core/equations/mechanical_system.hpp"
#include "core/integration/large_mechanism.hpp"

namespace daelab {

template <class T>
TangentEquations<T>::TangentEquations(MechanicalModel<T>& model, NullSpaceBasis basis)
    : model_(model), n_(model.coordinates()), m_(model.constraints()), null_space_(m_, n_, basis), lu_(n_), gram_(m_) {
  for (Matrix<T>* x : {&M_, &K_, &D_}) x->setZero(n_, n_);
  for (Matrix<T>* x : {&C_q_, &rate_q_, &level_q_}) x->setZero(m_, n_);
  B_.setZero(null_space_.basis().cols(), n_);
  for (Vector<T>* x : {&C_, &rate_, &h_, &lambda_}) x->setZero(m_);
  for (Vector<T>* x : {&Q_, &column_}) x->setZero(n_);
}

template <class T>
Status TangentEquations<T>::project(const T& t, const Vector<T>& q) {
  model_.mass(t, q, M_);
  model_.constraint(t, q, C_, C_q_);
  if (const Index rank = null_space_.compute(C_q_); rank < m_)
    return {StatusCode::singular,
            fmt::format("C_q has rank {} of {}: redundant constraints or a singular configuration; the scheme needs "
                        "independent constraints",
                        rank, m_)};
  B_.noalias() = basis().transpose().lazyProduct(M_);
  return {};
}

template <class T>
Status TangentEquations<T>::evaluate(const T& t, const Vector<T>& q, const Vector<T>& v) {
  if (const Status status = project(t, q); !status.ok()) return status;
  model_.force(t, q, v, Q_);
  const Vector<T>& unused = v;  // no acceleration at the velocity level
  model_.constraint_level(Level::velocity, t, q, v, unused, rate_);
  model_.constraint_level_q(Level::velocity, t, q, v, unused, rate_q_);
  model_.curvature(t, q, v, h_);
  lu_.matrix().topRows(n_ - m_) = B_;
  lu_.matrix().bottomRows(m_) = C_q_;
  return lu_.factorize();
}

template <class T>
void TangentEquations<T>::accelerations(Vector<T>& a) const {
  a.head(n_ - m_).noalias() = basis().transpose().lazyProduct(Q_);
  a.tail(m_) = -h_;
  lu_.solve(a);
}

// C_q C_q^T lambda = C_q (Q - M a), only the curvature of the constraints below depends on it.
template <class T>
Status TangentEquations<T>::solve_multipliers(const Vector<T>& a) {
  column_ = Q_;
  column_.noalias() -= M_.lazyProduct(a);
  gram_.matrix().noalias() = C_q_.lazyProduct(C_q_.transpose());
  lambda_.noalias() = C_q_.lazyProduct(column_);
  if (!gram_.factorize()) return {StatusCode::singular, "C_q C_q^T is not positive definite"};
  gram_.solve(lambda_);
  return {};
}

// M a + C_q^T lambda - Q = 0 and C_q a + h = 0, differentiated and projected:
//   [B; C_q] a_q = -[V^T K; R_q],  [B; C_q] a_v = -[V^T D; R_v],  R_v = 2 (C_q v + C_t)_q.
template <class T>
Status TangentEquations<T>::acceleration_jacobians(const T& t, const Vector<T>& q, const Vector<T>& v,
                                                   const Vector<T>& a, Matrix<T>& a_q, Matrix<T>& a_v) {
  if (const Status status = solve_multipliers(a); !status.ok()) return status;
  model_.motion_jacobians(t, q, v, a, lambda_, K_, D_);
  model_.constraint_level_q(Level::acceleration, t, q, v, a, level_q_);
  solve_columns(K_, level_q_, a_q);
  level_q_ = T(2) * rate_q_;
  solve_columns(D_, level_q_, a_v);
  return {};
}

template <class T>
void TangentEquations<T>::solve_columns(const Matrix<T>& balance, const Matrix<T>& level, Matrix<T>& x) {
  for (Index j = 0; j < n_; ++j) {
    column_.head(n_ - m_).noalias() = -basis().transpose().lazyProduct(balance.col(j));
    column_.tail(m_) = -level.col(j);
    lu_.solve(column_);
    x.col(j) = column_;
  }
}

namespace {

template <class T>
class LocalTrapezoidal final : public Stepper<T>, private NewtonTarget<T> {
 public:
  LocalTrapezoidal(const LocalTrapezoidalScheme& scheme, System<T>& system, MechanicalModel<T>& model,
                   const NewtonOptions& newton)
      : scheme_(scheme),
        system_(system),
        settings_(newton),
        norm_(newton.norm),
        layout_{model.coordinates(), model.constraints()},
        equations_(model, scheme.basis),
        lu_(scheme.newton ? 2 * layout_.n : layout_.n) {
    const Index n = layout_.n;
    settings_.full = true;  // the scheme evaluates everything at every iterate
    settings_.quadratic = scheme_.newton && !scheme_.refreshed;
    for (Vector<T>* x : {&q_, &v_, &a_, &defect_, &rows_q_, &rows_v_, &dq_, &dv_}) x->setZero(n);
    for (Matrix<T>* x : {&a_q_, &a_v_}) x->setZero(n, n);
    start_projection_ = equations_.projection();
    coupled_.setZero(2 * n);
  }

  std::vector<std::string> newton_options() const override { return {"test", "norm", "tolerance", "max_iterations"}; }

  Status step(const State<T>& from, const T& h, State<T>& to) override {
    from_ = &from, h_ = h, iteration_ = 0;
    q_ = layout_.q(from.y), v_ = layout_.v(from.y);
    if (!scheme_.refreshed) {
      if (const Status status = equations_.project(from.t, q_); !status.ok()) return status;
      start_projection_ = equations_.projection();
    }
    Status status = newton<T>(settings_, *this, false, this->statistics_);
    if (status.code == StatusCode::newton_diverged && !scheme_.newton)
      status.cause += "; the Picard iteration takes the forces from the last iterate, iteration = newton does not";
    if (!status.ok()) return status;
    ++this->statistics_.steps;
    to.t = from.t + h;
    to.y.head(layout_.n) = q_;
    to.y.segment(layout_.n, layout_.n) = v_;
    to.compensation.setZero();
    return system_.consistent_derivatives(to.t, to.y, to.ydot);
  }

 private:
  // V, M and C_q here belong to the iterate; the rows of the step to its start, unless they are refreshed.
  const Matrix<T>& projection() const { return scheme_.refreshed ? equations_.projection() : start_projection_; }

  Status linearize() override {
    if (iteration_ > 0 && correction_size() > T(1000) * first_correction_)
      return {StatusCode::newton_diverged,
              fmt::format("the corrections grew a thousandfold in {} iterations", iteration_)};
    const T t = from_->t + h_;
    if (const Status status = equations_.evaluate(t, q_, v_); !status.ok()) return status;
    equations_.accelerations(a_);
    this->statistics_.jacobians += 1;
    this->statistics_.factorizations += 1;
    this->statistics_.back_solves += 1;
    if (scheme_.newton) {
      const Status status = equations_.acceleration_jacobians(t, q_, v_, a_, a_q_, a_v_);
      if (!status.ok()) return status;
      fill_coupled_matrix();
    } else if (!scheme_.refreshed) {
      lu_.matrix().topRows(layout_.n - layout_.m) = start_projection_;
      lu_.matrix().bottomRows(layout_.m) = equations_.constraint_jacobian();
    } else {
      return {};  // the matrix of (4.2) serves
    }
    this->statistics_.factorizations += 1;
    return lu_.factorize();
  }

  // Unknowns (dq, dv); rows as in the step's four equations.
  void fill_coupled_matrix() {
    const Index n = layout_.n, m = layout_.m, p = n - m;
    const Matrix<T>& B = projection();
    Matrix<T>& A = lu_.matrix();
    A.setZero();
    A.block(0, 0, p, n) = B;
    A.block(0, n, p, n) = -(h_ / T(2)) * B;
    A.block(p, 0, m, n) = equations_.constraint_jacobian();
    A.block(n, 0, p, n).noalias() = B.lazyProduct(a_q_);
    A.block(n, 0, p, n) *= -h_ / T(2);
    A.block(n, n, p, n).noalias() = B.lazyProduct(a_v_);
    A.block(n, n, p, n) *= -h_ / T(2);
    A.block(n, n, p, n) += B;
    A.block(n + p, 0, m, n) = equations_.constraint_rate_q();
    A.block(n + p, n, m, n) = equations_.constraint_jacobian();
  }

  Status evaluate() override {
    const Index p = layout_.n - layout_.m;
    const T half = h_ / T(2);
    defect_ = q_ - layout_.q(from_->y) - half * (v_ + layout_.v(from_->y));
    rows_q_.head(p).noalias() = projection().lazyProduct(defect_);
    rows_q_.tail(layout_.m) = equations_.constraint();
    defect_ = v_ - layout_.v(from_->y) - half * (a_ + layout_.a(from_->ydot));
    rows_v_.head(p).noalias() = projection().lazyProduct(defect_);
    rows_v_.tail(layout_.m) = equations_.constraint_rate();
    ++this->statistics_.residuals;
    return {};
  }

  void correct(const T& relaxation) override {
    if (scheme_.newton)
      correct_coupled();
    else
      correct_in_turn();
    q_ += relaxation * dq_, v_ += relaxation * dv_;
    if (++iteration_ == 1) first_correction_ = correction_size();
  }

  // [Wang, (4.6), (4.7)]
  void correct_in_turn() {
    dq_ = -rows_q_;
    solve(dq_);
    dv_ = -rows_v_;
    dv_.tail(layout_.m).noalias() -= equations_.constraint_rate_q().lazyProduct(dq_);
    solve(dv_);
  }

  void correct_coupled() {
    const Index n = layout_.n;
    coupled_.head(n) = -rows_q_, coupled_.tail(n) = -rows_v_;
    lu_.solve(coupled_);
    dq_ = coupled_.head(n), dv_ = coupled_.tail(n);
    ++this->statistics_.back_solves;
  }

  void solve(Vector<T>& x) {
    if (scheme_.refreshed)
      equations_.solve(x);
    else
      lu_.solve(x);
    ++this->statistics_.back_solves;
  }

  T size(const Vector<T>& x, const Vector<T>& y) const {
    NormOf<T> norm(norm_);
    norm.add_all(x), norm.add_all(y);
    return norm.value();
  }
  T residual_size() override { return size(rows_q_, rows_v_); }
  T correction_size() override {
    using std::abs;
    if (norm_ != Norm::scaled) return size(dq_, dv_);
    NormOf<T> norm;
    for (Index i = 0; i < layout_.n; ++i) {
      norm.add(dq_[i] / (T(1) + abs(q_[i])));
      norm.add(dv_[i] / (T(1) + abs(v_[i])));
    }
    return norm.value();
  }

  LocalTrapezoidalScheme scheme_;
  System<T>& system_;
  NewtonSettings<T> settings_;
  Norm norm_;
  MechanicalLayout layout_;
  TangentEquations<T> equations_;
  DenseLu<T> lu_;  // [B; C_q] with the step's B, or the coupled matrix
  Matrix<T> start_projection_, a_q_, a_v_;
  Vector<T> q_, v_, a_, defect_, rows_q_, rows_v_, dq_, dv_, coupled_;
  const State<T>* from_ = nullptr;
  T h_{0}, first_correction_{0};
  int iteration_ = 0;
};

}  // namespace

template <class T>
std::unique_ptr<Stepper<T>> make_local_trapezoidal(const LocalTrapezoidalScheme& scheme, System<T>& system,
                                                   MechanicalModel<T>& model, const NewtonOptions& newton) {
  refuse_large("local-trapezoidal", model.coordinates());
  if (model.nonholonomic() > 0) throw NotApplicable("the scheme needs holonomic constraints");
  if (!system.facts().explicit_form_refusal.empty() || system.facts().stabilizes)
    throw NotApplicable(
        "the scheme imposes all constraint levels itself, with accelerations as a function of (q, v): "
        "use the index-1 formulation");
  return std::make_unique<LocalTrapezoidal<T>>(scheme, system, model, newton);
}

#define DAELAB_INSTANTIATE(T)                                                                               \
  template class TangentEquations<T>;                                                                       \
  template std::unique_ptr<Stepper<T>> make_local_trapezoidal<T>(const LocalTrapezoidalScheme&, System<T>&, \
                                                                 MechanicalModel<T>&, const NewtonOptions&);
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
