#include "methods/newmark/generalized_alpha_stepper.hpp"

#include <fmt/format.h>

#include "core/integration/pi_controller.hpp"
#include "core/model/consistent_start.hpp"
#include "core/model/mechanical_model.hpp"
#include "core/solvers/linear_solver.hpp"
#include "core/solvers/sparse_lu.hpp"

namespace daelab {
namespace {

// q'' at the step end where forces are collocated and M changes:
//   M_(n+1) q''_(n+1) = -R_(n+1),  M [(1 - alpha_m) a_(n+1) + alpha_m a_n] + (1 - alpha_f) R_(n+1) + alpha_f R_n = 0.
template <class T>
class CollocatedBalance {
 public:
  CollocatedBalance(const GeneralizedAlphaScheme& scheme, MechanicalModel<T>& model)
      : model_(model),
        alpha_f_(static_cast<T>(scheme.alpha_f)),
        mass_of_the_end_(scheme.balance == GeneralizedAlphaScheme::Balance::collocated_with_mass_of_the_end),
        large_(model.coordinates() > largest_dense_mechanism),
        factor_(large_ ? 0 : model.coordinates()) {
    const Index n = model.coordinates();
    if (!large_) M_.setZero(n, n);
    for (Vector<T>* x : {&start_q_, &start_force_, &q_, &a_, &force_, &rest_}) x->setZero(n);
  }

  /// From the start of the step: t, q, and q'' with its force M q''.
  void start(const State<T>& from) {
    const Index n = start_q_.size();
    t_ = from.t;
    start_q_ = from.y.head(n);
    a_ = from.ydot.segment(n, n);
    multiply_mass(t_, start_q_, start_force_);
  }
  /// a := q''_(n+1), where a comes in as (1 - alpha_m) a_(n+1) + alpha_m a_n; q: of the step end.
  Status solve(const T& h, const auto& q, auto&& a) {
    const T weight = mass_of_the_end_ ? T(1) : T(1) - alpha_f_;
    a_ = a;
    for (Index i = 0; i < q_.size(); ++i) q_[i] = start_q_[i] + weight * (q[i] - start_q_[i]);
    multiply_mass(t_ + weight * h, q_, force_);
    for (Index i = 0; i < q_.size(); ++i) force_[i] = (force_[i] - alpha_f_ * start_force_[i]) / (T(1) - alpha_f_);
    q_ = q;
    if (!divide_by_mass(t_ + h))
      return {StatusCode::singular, "the mass matrix is not positive definite: its collocated balance leaves q'' open"};
    a = force_;
    return {};
  }

 private:
  // f := M(t, q) a_
  void multiply_mass(const T& t, const Vector<T>& q, Vector<T>& f) {
    if (large_) {
      model_.data(t, q, rest_, data_);
      f.setZero();
      data_.M.add_product(a_, f, T(1));
    } else {
      model_.mass(t, q, M_);
      f.noalias() = M_.lazyProduct(a_);
    }
  }
  // force_ := M(t, q_)^-1 force_, false where M is singular.
  bool divide_by_mass(const T& t) {
    if (large_) {
      model_.data(t, q_, rest_, data_);
      if (factor_pattern_ != data_.M.pattern) {
        factor_pattern_ = data_.M.pattern;
        sparse_factor_ = std::make_unique<SparseLu<T>>(factor_pattern_);
      }
      sparse_factor_->values() = data_.M.values;
      if (!sparse_factor_->factorize().ok()) return false;
      sparse_factor_->solve(force_);
      return true;
    }
    model_.mass(t, q_, factor_.matrix());
    if (!factor_.factorize()) return false;
    factor_.solve(force_);
    return true;
  }

  MechanicalModel<T>& model_;
  T alpha_f_, t_{0};
  bool mass_of_the_end_, large_;
  CholeskyFactor<T> factor_;
  Matrix<T> M_;
  SparseData<T> data_;  // of large mechanisms
  std::unique_ptr<SparseLu<T>> sparse_factor_;
  std::shared_ptr<const SparsePattern> factor_pattern_;  // that it is made for
  Vector<T> start_q_, start_force_, q_, a_, force_, rest_;
};

template <class T>
class GeneralizedAlpha final : public Stepper<T>, private NewtonTarget<T> {
 public:
  GeneralizedAlpha(const GeneralizedAlphaScheme& s, System<T>& system, const NewtonOptions& options)
      : system_(system),
        settings_(options),
        quasi_(settings_),
        uses_quasi_(options.name == "automatic" || options.name == "quasi" || options.jacobian == "reused"),
        norm_(norm_named(options.norm)),
        N_(system.size()),
        n_(system.positions()),
        alpha_m_(static_cast<T>(s.alpha_m)),
        alpha_f_(static_cast<T>(s.alpha_f)),
        beta_(static_cast<T>(s.beta)),
        gamma_(static_cast<T>(s.gamma)),
        eta_(static_cast<T>(s.eta())),
        carries_(s.carries_acceleration),
        rescales_(s.rescale == "always" || (s.rescale == "automatic" && system.index() < 3)),
        deadband_(static_cast<T>(s.deadband)),
        undamped_(s.lag() == 0 && 2 * s.gamma == 1),
        estimates_by_accelerations_(s.error_constant == "theory" && 2 * s.lag() > 1),
        linearization_(system.linearization()),
        matrix_(linearization_->real_matrix()) {
    using std::pow;
    if (n_ == 0 || system.differential() != 2 * n_)
      throw NotApplicable("the method needs a second-order system, y = (q, v, ...) with q' = v");
    MechanicalModel<T>* model = system.mechanical_model();
    separate_ = model && N_ > 2 * n_ + model->constraints();
    if (s.balance != GeneralizedAlphaScheme::Balance::at_the_end && model && !model->constant_mass())
      balance_ = std::make_unique<CollocatedBalance<T>>(s, *model);
    if (s.error_constant == "theory")
      error_constant_ =
          static_cast<T>(Real100(abs(estimates_by_accelerations_ ? s.position_error() : s.position_error_constant())));
    // On index 3 an error h^2 z of a step is h z in the velocities, and that of all steps 1/h^2 times as large in the
    // positions: the iteration goes down to round-off. A Jacobian that stops contracting far above it is renewed.
    if (system.index() == 3) settings_.set_tolerance(epsilon<T>());
    if (norm_ == Norm::scaled) settings_.floor = T(pow(epsilon<T>(), T(2) / T(3)));
    quasi_.settings() = settings_;
    for (Vector<T>* x : {&X_, &R_, &Y_, &Ydot_, &inverse_weights_, &difference_}) x->setZero(N_);
    for (Vector<T>* x : {&a_, &dq_, &dv_, &acceleration_}) x->setZero(n_);
  }

  std::vector<std::string> newton_options() const override {
    std::vector<std::string> names = {"name", "test", "tolerance", "max_iterations", "jacobian"};
    if (!controlled_) names.push_back("norm");
    if (uses_quasi_) names.push_back("relaxation");
    return names;
  }

  Index memory_size() const override { return n_; }

  Status step(const State<T>& from, const T& h, State<T>& to) override {
    from_ = &from;
    h_ = h;
    weights_ = {beta_ * h * h, gamma_ * h, eta_};
    if (controlled_)
      error_norm_.weigh(from.y);
    else
      system_.correction_weights(h, from.y, inverse_weights_);
    predict();
    Status status = iterate();
    if (status.ok()) status = finish(to);
    return status;
  }

  // a_n stands for q'' at t_n - D h: that is the acceleration to be transformed.
  bool change_coordinates(State<T>& state, CoordinateChange<T>& change) override {
    factorized_h_ = T(0);
    if (!carries_ || state.memory_step == T(0)) return true;
    const T s = (alpha_m_ - alpha_f_) * state.memory_step;
    const Vector<T> qdd = state.ydot.segment(n_, n_);
    Vector<T> q = state.y.head(n_), v = state.y.segment(n_, n_), a = state.memory;
    q += s * (v + s / T(2) * qdd), v += s * qdd;
    change.apply(Vector<T>(q), q, v, a);
    state.memory = a;
    return true;
  }

  void control(const Tolerances<T>& tolerances) override {
    if (undamped_ && system_.index() >= 2)
      throw NotApplicable(
          "without damping, errors of the multipliers of index 2 and 3 grow as the step changes: "
          "choose rho < 1 (gamma > 1/2), fixed steps, or index 1");
    controlled_ = true;
    error_norm_ = ErrorNorm<T>(tolerances, system_);
    relative_tolerance_ = static_cast<double>(tolerances.relative);
    settings_.use_error_tolerances();
    quasi_.settings().use_error_tolerances();
  }

  // h 0.9/Xi, at most 2 h; h/(2 Xi) for a step that failed before. [Ren20, eq. (36), algorithm 3]
  StepDecision<T> judge(const State<T>& /*from*/, const T& h, State<T>& to, int failures) override {
    const T error = estimate(), Xi = root(error);
    const bool accepted = error <= T(1);
    if (accepted) warn_of_floors(h, to);
    T factor = Xi > T(9) / T(20) ? T(9) / (T(10) * Xi) : T(2);
    if (!accepted && failures > 0) factor = T(1) / (T(2) * Xi);
    const bool kept = accepted && factor <= T(1) + deadband_ && factor * (T(1) + deadband_) >= T(1);
    return {accepted, kept ? h : T(factor * h), error, 2};
  }

 private:
  // The corrections vanish at q''_(n+1) = q''_n, lambda_(n+1) = lambda_n.
  void predict() {
    const State<T>& from = *from_;
    const bool first = from.memory_step == T(0) || !carries_, rescale = !first && rescales_ && from.memory_step != h_;
    for (Index i = 0; i < n_; ++i) {
      const T& now = from.ydot[n_ + i];
      T& a = a_[i];
      a = first ? now : from.memory[i];
      if (rescale) a = now + (h_ / from.memory_step) * (a - now);
      dq_[i] = from.compensation[i] + h_ * from.y[n_ + i] + (h_ * h_) * ((T(1) / T(2) - beta_) * a + beta_ * now);
      dv_[i] = from.compensation[n_ + i] + h_ * ((T(1) - gamma_) * a + gamma_ * now);
      acceleration_[i] = (alpha_m_ * a + (T(1) - alpha_m_ - alpha_f_) * now) / (T(1) - alpha_f_);
    }
    X_.head(2 * n_).setZero();
    X_.tail(N_ - 2 * n_) = from.y.tail(N_ - 2 * n_);
    if (balance_) balance_->start(from);
  }

  Status iterate() {
    if (!uses_quasi_) return newton(settings_, *this, false, this->statistics_);
    T ratio = factorized_h_ > T(0) ? T(h_ / factorized_h_) : T(0);
    if (quasi_.reusable(ratio))
      matrix_->reuse(weights_);
    else
      ratio = T(0);
    return quasi_.solve(*this, ratio, this->statistics_);
  }

  Status values() {
    const State<T>& from = *from_;
    for (Index i = 0; i < n_; ++i) {
      const T &x = X_[i], &z = X_[n_ + i], &v = from.y[n_ + i];
      Y_[i] = from.y[i] + (dq_[i] + weights_.position * x);
      Y_[n_ + i] = v + (dv_[i] + weights_.velocity * z);
      Ydot_[i] = v + (dv_[i] + weights_.velocity * x);
      Ydot_[n_ + i] = acceleration_[i] + eta_ * z;
    }
    Y_.tail(N_ - 2 * n_) = X_.tail(N_ - 2 * n_);
    if (!balance_) return {};
    for (Index i = 0; i < n_; ++i)
      Ydot_[n_ + i] = (T(1) - alpha_m_) * (from.ydot[n_ + i] + X_[n_ + i]) + alpha_m_ * a_[i];
    return balance_->solve(h_, Y_.head(n_), Ydot_.segment(n_, n_));
  }

  Status linearize() override {
    factorized_h_ = T(0);
    if (Status status = values(); !status.ok()) return status;
    linearization_->evaluate(from_->t + h_, Y_, Ydot_);
    ++this->statistics_.jacobians, ++this->statistics_.factorizations;
    if (Status status = matrix_->factorize(weights_); !status.ok()) return status;
    factorized_h_ = h_;
    return {};
  }

  Status evaluate() override {
    if (Status status = values(); !status.ok()) return status;
    ++this->statistics_.residuals;
    return system_.resolved_residual(from_->t + h_, Y_, Ydot_, R_);
  }

  void correct(const T& relaxation) override {
    matrix_->solve(R_);
    ++this->statistics_.back_solves;
    for (Index i = 0; i < N_; ++i) R_[i] *= relaxation, X_[i] -= R_[i];
  }

  T residual_size() override {
    return size([this](Index i) { return R_[i]; });
  }
  // With error control that of the position, and of the velocity where it is tested. [Ren20, algorithm 2]
  T correction_size() override {
    if (controlled_) return error_size(R_);
    if (norm_ != Norm::scaled) return residual_size();
    return size([this](Index i) {
      const T unit = i < n_ ? weights_.velocity : i < 2 * n_ ? weights_.acceleration : T(1);
      return T(inverse_weights_[i] * unit * R_[i]);
    });
  }
  T size(const auto& entry) const {
    NormOf<T> norm(norm_);
    for (Index i = 0; i < N_; ++i) norm.add(entry(i));
    return norm.value();
  }

  Status finish(State<T>& to) {
    if (Status status = values(); !status.ok()) return status;
    const State<T>& from = *from_;
    to.t = from.t + h_;
    to.y = Y_, to.ydot = Ydot_;
    for (Index i = 0; i < n_; ++i) {
      to.compensation[i] = dq_[i] + weights_.position * X_[i] - (to.y[i] - from.y[i]);
      to.compensation[n_ + i] = dv_[i] + weights_.velocity * X_[n_ + i] - (to.y[n_ + i] - from.y[n_ + i]);
      to.memory[i] = from.ydot[n_ + i] + X_[n_ + i];
    }
    to.memory_step = h_;
    ++this->statistics_.steps;
    return {};
  }

  // Of x and z in the tolerances.
  T error_size(const Vector<T>& x) const {
    const T position = h_ * h_ * error_norm_.positions(x);
    const T velocity = separate_ ? T(h_ * error_norm_(x, n_, n_, n_)) : T(0);
    return error_constant_ * (velocity > position || velocity != velocity ? velocity : position);
  }
  T estimate() {
    if (!estimates_by_accelerations_) return error_size(X_);
    for (Index i = 0; i < n_; ++i) difference_[i] = difference_[n_ + i] = Ydot_[n_ + i] - from_->ydot[n_ + i];
    return error_size(difference_);
  }
  // On index 3 round-off of positions is 1/h times as large in the velocities, at every step anew: what the iterations
  // bring down is then no longer what the tolerance bounds. As h goes with the cube root of the tolerance r, the ratio
  // eps |q| / (h r |v|) goes with its power -4/3.
  void warn_of_floors(const T& h, const State<T>& to) {
    // Where velocities are tested the estimate is of second order, as the error is.
    if (!separate_ && this->statistics_.steps == accumulating_steps) this->warn("accumulation", accumulation_text(2));
    if (system_.index() < 3 || steps_at_floor_ == steps_to_warn) return;
    difference_.segment(n_, n_) = (epsilon<T>() / h) * to.y.head(n_);
    const double ratio = static_cast<double>(error_norm_(difference_, n_, n_, n_));
    steps_at_floor_ = ratio > 1 ? steps_at_floor_ + 1 : 0;
    if (steps_at_floor_ < steps_to_warn) return;
    this->warn(
        "accuracy-floor",
        fmt::format("on index 3 round-off of the positions, divided by h = {:.1e}, is {:.2g} times what is tolerated "
                    "in the velocities (t = {:.6g}): below rtol = {:.0e} errors grow again; ggl and index-1 do not "
                    "divide by h",
                    static_cast<double>(h), ratio, static_cast<double>(to.t),
                    relative_tolerance_ * std::pow(ratio, 0.75)));
  }
  T root(const T& error) const {
    using std::pow;
    using std::sqrt;
    return separate_ ? T(sqrt(error)) : T(pow(error, T(1) / T(3)));
  }

  System<T>& system_;
  NewtonSettings<T> settings_;
  QuasiNewton<T> quasi_;
  bool uses_quasi_;
  Norm norm_;
  Index N_, n_;
  T alpha_m_, alpha_f_, beta_, gamma_, eta_;
  bool carries_, rescales_;
  T deadband_;
  bool undamped_, estimates_by_accelerations_, separate_ = false, controlled_ = false;
  static constexpr int steps_to_warn = 100;
  int steps_at_floor_ = 0;  // in succession
  double relative_tolerance_ = 0;
  T error_constant_{1};
  ErrorNorm<T> error_norm_;
  std::unique_ptr<Linearization<T>> linearization_;
  std::unique_ptr<IterationMatrix<T>> matrix_;
  std::unique_ptr<CollocatedBalance<T>> balance_;  // null where q'' = q''^0 + eta z
  T factorized_h_{0};                              // step size of the factorisation at hand; 0 = none

  const State<T>* from_ = nullptr;
  T h_{0};
  SecondOrderWeights<T> weights_{T(1), T(1), T(1)};
  Vector<T> X_, R_, Y_, Ydot_;            // (N): unknowns, residual or correction, y and y' of the iterate
  Vector<T> a_, dq_, dv_, acceleration_;  // (n): a_n, what q, v gain and q'' is at x = z = 0
  Vector<T> inverse_weights_, difference_;
};

}  // namespace

Real100 newmark_beta(const Real100& gamma) {
  const Real100 sum = gamma + Real100(1) / 2;
  return sum * sum / 4;
}

Option error_constant_option(std::string& member) {
  return option("error_constant", member,
                "theory: the estimate c h^2 x of the position's error has the c of the method; printed: c = 1, as the "
                "source has it, 6 to 12 times stricter for little damping",
                one_of({"theory", "printed"}));
}

Option rescale_option(std::string& member) {
  return option("rescale", member,
                "before a step of another size, a_n becomes q''_n + (h_new/h_old) (a_n - q''_n), which it stands for "
                "then: second order with changing steps, but on index 3, where it cures nothing; automatic: on all "
                "forms other than index 3",
                one_of({"automatic", "always", "never"}));
}

Option deadband_option(Exact& member) {
  return option("deadband", member,
                "after an accepted step its size stays unless it is to change by more than a factor 1 + deadband: "
                "changes are what makes a and lambda of index 3 jump",
                Allowed{Exact(0), Exact("0.9"), false, {}});
}

namespace {

// With h^2 a_n = -g_n, g = delta h v + kappa q, the third row gives
// h^2 a_(n+1) = -g_(n+1)/eta + (alpha_m - alpha_f)/(1 - alpha_m) g_n.
OscillatorForm form_without_memory(const GeneralizedAlphaScheme& s) {
  OscillatorForm form;
  for (int i = 0; i < 3; ++i) form.next[i] = form.now[i] = Matrix<Real100>::Zero(2, 2);
  form.next[0] << 1, 0, 0, 1;
  form.now[0] << 1, 1, 0, 1;
  const Real100 mixed = -s.lag() / (1 - s.alpha_m);
  const Real100 weights[] = {s.beta, s.gamma}, rest[] = {Real100(1) / 2 - s.beta, 1 - s.gamma};
  for (int row = 0; row < 2; ++row) {
    form.next[1](row, 1) = form.next[2](row, 0) = weights[row] / s.eta();
    form.now[1](row, 1) = form.now[2](row, 0) = weights[row] * mixed - rest[row];
  }
  return form;
}

}  // namespace

MethodForm GeneralizedAlphaMethod::form() const {
  const GeneralizedAlphaScheme& s = scheme_;
  if (!s.carries_acceleration) return form_without_memory(s);
  OscillatorForm form;
  for (int i = 0; i < 3; ++i) form.next[i] = form.now[i] = Matrix<Real100>::Zero(3, 3);
  form.next[0] << 1, 0, -s.beta, 0, 1, -s.gamma, 0, 0, 1 - s.alpha_m;
  form.now[0] << 1, 1, Real100(1) / 2 - s.beta, 0, 1, 1 - s.gamma, 0, 0, -s.alpha_m;
  form.next[1](2, 1) = form.next[2](2, 0) = 1 - s.alpha_f;  // h^2 q'' = -delta h v - kappa q
  form.now[1](2, 1) = form.now[2](2, 0) = -s.alpha_f;
  return form;
}

std::vector<Method::Coefficient> GeneralizedAlphaMethod::coefficients() const {
  const GeneralizedAlphaScheme& s = scheme_;
  const auto number = [](const Real100& x) { return Matrix<Real100>(Matrix<Real100>::Constant(1, 1, x)); };
  std::vector<Coefficient> list{{"alpha_m", "weight of a_n against a_(n+1)", number(s.alpha_m)},
                                {"alpha_f", "weight of q''_n against q''_(n+1)", number(s.alpha_f)},
                                {"beta", "weight of a_(n+1) in the position", number(s.beta)},
                                {"gamma", "weight of a_(n+1) in the velocity", number(s.gamma)},
                                {"eta", "(1 - alpha_m)/(1 - alpha_f)", number(s.eta())}};
  if (s.lag() < 1) list.push_back({"c", "local error of the position is c h^2 x", number(s.position_error_constant())});
  return list;
}

template <class T>
std::unique_ptr<Stepper<T>> make_generalized_alpha(const GeneralizedAlphaScheme& scheme, System<T>& system,
                                                   const NewtonOptions& newton) {
  return std::make_unique<GeneralizedAlpha<T>>(scheme, system, newton);
}

#define DAELAB_INSTANTIATE(T)                                                                                         \
  template std::unique_ptr<Stepper<T>> make_generalized_alpha<T>(const GeneralizedAlphaScheme&, System<T>&,           \
                                                                 const NewtonOptions&);                               \
  std::unique_ptr<Stepper<T>> GeneralizedAlphaMethod::stepper(System<T>& system, const NewtonOptions& newton) const { \
    return make_generalized_alpha<T>(scheme_, system, newton);                                                        \
  }
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
