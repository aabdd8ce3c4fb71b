#include "methods/newmark/generalized_alpha_stepper.hpp"

#include <fmt/format.h>

#include "core/integration/algebraic_corrections.hpp"
#include "core/integration/constraint_round_off.hpp"
#include "methods/newmark/collocated_balance.hpp"

namespace daelab {
namespace {

template <class T>
class GeneralizedAlpha final : public TypedStepper<T, GeneralizedAlphaMemory<T>>, private NewtonTarget<T> {
 public:
  GeneralizedAlpha(const GeneralizedAlphaScheme& s, System<T>& system, const NewtonOptions& options)
      : system_(system),
        settings_(options),
        quasi_(settings_),
        uses_quasi_(options.iteration == NewtonIteration::automatic || options.iteration == NewtonIteration::quasi ||
                    options.jacobian == JacobianUse::reused),
        norm_(options.norm),
        N_(system.size()),
        n_(system.positions()),
        alpha_m_(static_cast<T>(s.alpha_m)),
        alpha_f_(static_cast<T>(s.alpha_f)),
        beta_(static_cast<T>(s.beta)),
        gamma_(static_cast<T>(s.gamma)),
        eta_(static_cast<T>(s.eta())),
        carries_(s.carries_acceleration),
        rescales_(s.rescale == Rescaling::always || (s.rescale == Rescaling::automatic && system.index() < 3)),
        deadband_(static_cast<T>(s.deadband)),
        undamped_(s.lag() == 0 && 2 * s.gamma == 1),
        estimates_by_accelerations_(s.error_constant == ErrorConstant::theory && 2 * s.lag() > 1),
        kept_(N_),
        linearization_(system.linearization()),
        matrix_(linearization_->real_matrix()) {
    using std::pow;
    if (n_ == 0 || system.differential() != 2 * n_)
      throw NotApplicable("the method needs a second-order system, y = (q, v, ...) with q' = v");
    MechanicalModel<T>* model = system.mechanical_model();
    separate_ = model && N_ > 2 * n_ + model->multipliers();
    if (s.balance != GeneralizedAlphaScheme::Balance::at_the_end && model && !model->constant_mass())
      balance_ = std::make_unique<CollocatedBalance<T>>(s, *model);
    if (s.error_constant == ErrorConstant::theory)
      error_constant_ =
          static_cast<T>(Real100(abs(estimates_by_accelerations_ ? s.position_error() : s.position_error_constant())));
    // On index 3 an error h^2 z of a step is h z in the velocities, and that of all steps 1/h^2 times as large in the
    // positions: the iteration goes down to round-off. A Jacobian that stops contracting far above it is renewed.
    if (system.index() == 3) settings_.set_tolerance(epsilon<T>());
    if (system.index() == 3 && model != nullptr) rows_.setZero(model->constraints());
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

  HeldMemory make_memory() const override {
    return HeldMemory::of(GeneralizedAlphaMemory<T>{Vector<T>::Zero(n_), KeptJacobian<T>(uses_quasi_ ? N_ : 0)});
  }

  Status step(const State<T>& from, const T& h, State<T>& to) override {
    if (const Status status = system_.start_step(from.t, h, from.y); !status.ok()) {
      to.memory = from.memory;
      return status;
    }
    from_ = &from;
    h_ = h;
    if (uses_quasi_) recall();
    weights_ = weights_of(h);
    if (controlled_)
      error_norm_.weigh(from.y);
    else
      system_.correction_weights(h, from.y, inverse_weights_);
    predict();
    Status status = iterate();
    if (status.ok()) status = finish(to);
    if (uses_quasi_) this->past(to).jacobian = kept_;
    return status;
  }

  // a_n stands for q'' at t_n - D h: that is the acceleration to be transformed.
  bool change_coordinates(State<T>& state, CoordinateChange<T>& change) override {
    if (uses_quasi_) {
      kept_.h = T(0);
      this->past(state).jacobian = kept_;
    }
    if (!carries_ || state.memory_step == T(0)) return true;
    const T s = (alpha_m_ - alpha_f_) * state.memory_step;
    const Vector<T> qdd = state.ydot.segment(n_, n_);
    Vector<T> q = state.y.head(n_), v = state.y.segment(n_, n_), a = this->past(state).a;
    q += s * (v + s / T(2) * qdd), v += s * qdd;
    change.apply(Vector<T>(q), q, v, a);
    this->past(state).a = a;
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
    // Positions and velocities are off by h^3 in a step. Where h^2 is what is tested, h goes with the square root of
    // the tolerance r, and the error of a step is that part of r.
    using std::sqrt;
    const T round_off = T(10) * epsilon<T>() / tolerances.relative;
    if (separate_) settings_.sharpen(std::max(T(sqrt(tolerances.relative)), T(T(1000) * round_off)));
    quasi_.settings() = settings_;
  }

  // h 0.9/Xi, at most 2 h; h/(2 Xi) for a step that failed before. [Ren20, algorithm 3, steps 5 f and 5 h]
  StepDecision<T> judge(const State<T>& from, const T& h, State<T>& to, int failures) override {
    to.control = from.control;
    const T error = estimate(), Xi = root(error);
    const bool accepted = error <= T(1);
    if (accepted) warn_of_floors(h, to);
    T factor = Xi > T(9) / T(20) ? T(9) / (T(10) * Xi) : T(2);
    if (!accepted && failures > 0) factor = T(1) / (T(2) * Xi);
    const bool kept = accepted && factor <= T(1) + deadband_ && factor * (T(1) + deadband_) >= T(1);
    return {accepted, kept ? h : T(factor * h), error, 2, separate_ ? 2 : 3};
  }

 private:
  // The corrections vanish at q''_(n+1) = q''_n, lambda_(n+1) = lambda_n.
  void predict() {
    const State<T>& from = *from_;
    const Vector<T>& last = this->past(from).a;
    const bool first = from.memory_step == T(0) || !carries_, rescale = !first && rescales_ && from.memory_step != h_;
    for (Index i = 0; i < n_; ++i) {
      const T& now = from.ydot[n_ + i];
      T& a = a_[i];
      a = first ? now : last[i];
      if (rescale) a = now + (h_ / from.memory_step) * (a - now);
      dq_[i] = from.compensation[i] + h_ * from.y[n_ + i] + (h_ * h_) * ((T(1) / T(2) - beta_) * a + beta_ * now);
      dv_[i] = from.compensation[n_ + i] + h_ * ((T(1) - gamma_) * a + gamma_ * now);
      acceleration_[i] = (alpha_m_ * a + (T(1) - alpha_m_ - alpha_f_) * now) / (T(1) - alpha_f_);
    }
    X_.head(2 * n_).setZero();
    X_.tail(N_ - 2 * n_) = from.y.tail(N_ - 2 * n_);
    if (balance_) balance_->start(from);
  }

  SecondOrderWeights<T> weights_of(const T& h) const { return {beta_ * h * h, gamma_ * h, eta_}; }

  // A Jacobian of a step that ended next to a singular position throws the first iterate of the next one out of reach
  // of its own: that begins anew at the prediction. Error control makes the step shorter instead.
  Status iterate() {
    if (!uses_quasi_) return newton(settings_, *this, false, this->statistics_);
    T ratio = kept_.h > T(0) ? T(h_ / kept_.h) : T(0);
    if (quasi_.reusable(ratio))
      matrix_->reuse(weights_);
    else
      ratio = T(0);
    Status status = quasi_.solve(*this, ratio, this->statistics_);
    if (status.code == StatusCode::newton_diverged && ratio > T(0) && !controlled_) {
      predict();
      status = quasi_.solve(*this, T(0), this->statistics_);
    }
    if (!status.ok()) kept_.h = T(0);
    kept_.rate = quasi_.rate();
    return status;
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
    kept_.h = T(0);
    if (Status status = values(); !status.ok()) return status;
    kept_.t = from_->t + h_, kept_.h = h_;
    kept_.y = Y_, kept_.ydot = Ydot_;
    return make_jacobian();
  }

  Status make_jacobian() {
    linearization_->evaluate(kept_.t, kept_.y, kept_.ydot);
    ++this->statistics_.jacobians, ++this->statistics_.factorizations;
    const Status status = matrix_->factorize(weights_of(kept_.h));
    if (!status.ok()) kept_.h = T(0);
    return status;
  }

  // The Jacobian that the state goes on with.
  void recall() {
    if (kept_.load(this->past(*from_).jacobian)) make_jacobian();
    quasi_.recall(kept_.rate, T(0));
  }

  Status evaluate() override {
    if (Status status = values(); !status.ok()) return status;
    ++this->statistics_.residuals;
    const Status status = system_.resolved_residual(from_->t + h_, Y_, Ydot_, R_);
    rows_ = R_.segment(2 * n_, rows_.size());
    return status;
  }

  void correct(const T& relaxation) override {
    matrix_->solve(R_);
    ++this->statistics_.back_solves;
    for (Index i = 0; i < N_; ++i) R_[i] *= relaxation, X_[i] -= R_[i];
  }

  T residual_size() override {
    return size([this](Index i) { return R_[i]; });
  }
  T correction_size() override {
    if (controlled_) return size_in_tolerances();
    if (norm_ != Norm::scaled) return residual_size();
    return size([this](Index i) {
      const T unit = i < n_ ? weights_.velocity : i < 2 * n_ ? weights_.acceleration : T(1);
      return T(inverse_weights_[i] * unit * R_[i]);
    });
  }
  // Next to a singular position the matrix multiplies round-off of the constraint rows, by as much as they are
  // dependent: where they are off by no more, and make most of the correction, another iteration makes another one like
  // it.
  bool is_round_off() override {
    if (controlled_ || rows_.size() == 0) return false;
    if (rows_.cwiseAbs().maxCoeff() > round_off_of_solutions<T>() * Y_.head(n_).cwiseAbs().maxCoeff()) return false;
    const T whole = correction_size();
    difference_.setZero();
    difference_.segment(2 * n_, rows_.size()) = rows_;
    matrix_->solve(difference_);
    ++this->statistics_.back_solves;
    R_.swap(difference_);
    const T of_rows = correction_size();
    R_.swap(difference_);
    return T(2) * of_rows >= whole;
  }
  T size(const auto& entry) const {
    NormOf<T> norm(norm_);
    for (Index i = 0; i < N_; ++i) norm.add(entry(i));
    return norm.value();
  }
  // For the velocity too: what a kept Jacobian leaves of N steps has one direction, and dq/h of velocities makes N^2 dq
  // of positions. On index 3, where round-off of velocities is 1/h times that of positions, of the position alone:
  // the norm of [Ren20, algorithm 2] is (35), of coordinates.
  T size_in_tolerances() const {
    NormOf<T> norm;
    norm.add(T(error_constant_ * h_ * h_ * error_norm_.positions(R_)));
    if (system_.index() != 3) norm.add(T(error_constant_ * h_ * error_norm_(R_, n_, n_, n_)));
    norm.add(algebraic_.size(R_, h_, from_->y, error_norm_));
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
    }
    this->past(to).a = from.ydot.segment(n_, n_) + X_.segment(n_, n_);
    to.memory_step = h_;
    ++this->statistics_.steps;
    return system_.end_step(to.t, to.y, to.ydot);
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
  AlgebraicCorrections<T> algebraic_{system_};
  KeptJacobian<T> kept_;
  std::unique_ptr<Linearization<T>> linearization_;
  std::unique_ptr<IterationMatrix<T>> matrix_;
  std::unique_ptr<CollocatedBalance<T>> balance_;  // null where q'' = q''^0 + eta z

  const State<T>* from_ = nullptr;
  T h_{0};
  SecondOrderWeights<T> weights_{T(1), T(1), T(1)};
  Vector<T> X_, R_, Y_, Ydot_;            // (N): unknowns, residual or correction, y and y' of the iterate
  Vector<T> rows_;                        // (m) of the residual, those of the constraints on index 3, otherwise empty
  Vector<T> a_, dq_, dv_, acceleration_;  // (n): a_n, what q, v gain and q'' is at x = z = 0
  Vector<T> inverse_weights_, difference_;
};

}  // namespace

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
