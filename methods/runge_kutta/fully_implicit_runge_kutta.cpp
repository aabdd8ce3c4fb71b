// The engine of all fully implicit Runge-Kutta methods.
//
// Implicit stages carry B (r, r), the optional explicit first stage d (r): for differential components
//   Y = e y_n + h d y'_n + h B Y'.
// Full and modified Newton solve the coupled equations (coupled_stages.hpp), the simplified iteration one stage at a
// time with one Jacobian (decoupled_stages.hpp), which quasi-Newton keeps over steps. Errors: step_error.hpp.
//
// [HW96] Hairer, Wanner, Solving Ordinary Differential Equations II, 2nd ed., Springer, Sec. IV.8.
#include <fmt/format.h>

#include <algorithm>

#include "core/integration/linear_combination.hpp"
#include "core/integration/pi_controller.hpp"
#include "methods/runge_kutta/runge_kutta.hpp"
#include "methods/runge_kutta/stage_extrapolation.hpp"
#include "methods/runge_kutta/stage_iteration.hpp"
#include "methods/runge_kutta/stage_jacobian.hpp"
#include "methods/runge_kutta/stage_memory.hpp"
#include "methods/runge_kutta/stage_round_off.hpp"
#include "methods/runge_kutta/step_end.hpp"
#include "methods/runge_kutta/step_error.hpp"

namespace daelab {
namespace {

template <class T>
class FullyImplicitRungeKutta final : public TypedStepper<T, StageMemory<T>>, private NewtonTarget<T> {
 public:
  FullyImplicitRungeKutta(std::shared_ptr<const PreparedTableau> tableau, System<T>& system,
                          const NewtonOptions& options)
      : tableau_(std::move(tableau)),
        system_(system),
        stages_(tableau_->stages()),
        order_(tableau_->tableau().claimed_order),
        options_(options),
        iteration_(stage_iteration(options, system.index())),
        guess_(stage_guess(options)),
        settings_(options),
        quasi_newton_(settings_),
        N_(system.size()),
        differential_(system.differential()),
        r_(stages_.c.size()),
        B_transposed_(stages_.B.transpose().cast<T>()),
        d_(stages_.d.cast<T>()),
        c_(stages_.c.cast<T>()),
        b_(stages_.b.cast<T>()),
        b0_(static_cast<T>(stages_.b0)),
        sum_(r_ + 1),
        extrapolation_(stages_),
        jacobian_(stages_, system) {
    for (Matrix<T>* stages : {&X_, &Y_, &R_, &dX_}) stages->setZero(N_, r_);
    for (Vector<T>* x : {&y_, &ydot_, &increment_, &weights_}) x->setZero(N_);
    F_.setZero(N_);
    t_.setZero(r_);
    jacobian_.decouple(decouples(options.iteration));
    if (automatic()) iterate_to_round_off(jacobian_.decouples(), quasi_newton_.settings());
  }

  std::vector<std::string> newton_options() const override {
    std::vector<std::string> names = {"test", "tolerance", "max_iterations"};
    if (!asks_for_decoupled_stages(options_) || quasi() || !stages_.modes.empty()) names.push_back("name");
    if (!estimate_) names.insert(names.end(), {"norm", "guess"});
    if (!quasi() && jacobian_.decouples()) names.push_back("jacobian");
    return names;
  }

  HeldMemory make_memory() const override {
    if (!has_memory()) return {};
    const Index nodes = r_ + (stages_.explicit_first ? 1 : 0);
    return HeldMemory::of(
        StageMemory<T>{Matrix<T>::Zero(N_, nodes), {Matrix<T>::Zero(N_, 2 * points())}, keeps_jacobian()});
  }

  Status step(const State<T>& from, const T& h, State<T>& to) override {
    if (const Status status = system_.start_step(from.t, h, from.y); !status.ok()) {
      to.memory = from.memory;
      return status;
    }
    from_ = &from;
    h_ = h;
    if (estimate_)
      error_norm_.weigh(from.y);
    else
      system_.correction_weights(h, from.y, weights_);
    start_iteration();
    const bool at_hand = factorization_at_hand();
    Status status = solve(at_hand);
    if (!status.ok() && at_hand) {  // the reused Jacobian may be what failed
      start_iteration();
      status = solve(false);
    }
    if (!status.ok() && automatic() && !estimate_) status = solve_fully();
    if (!status.ok()) {
      forget_jacobian(to);
      return status;
    }
    ++this->statistics_.steps;
    return finish(to);
  }

  /// The guess is extrapolated. Unless the options name an iteration, the Jacobian is kept over steps while corrections
  /// shrink fast; on index 3 it is renewed in each, because the estimate needs the constraints' directions as they are
  /// now: with old ones the velocity error off the constraints, of lower order, stays in it.
  void control(const Tolerances<T>& tolerances) override {
    const ErrorFormula formula = defect_formula(stages_);
    if (automatic()) jacobian_.decouple(decouples(NewtonIteration::quasi));
    iteration_ = stage_iteration(options_, system_.index(), jacobian_.decouples());
    guess_ = StageGuess::extrapolated;
    settings_.use_error_tolerances();
    if (automatic()) iterate_to_error(order_, formula.exponent, system_.index(), settings_);
    if (system_.index() >= 2 && N_ > differential_) {
      refuse_steps_that_leave_constraints(stages_, system_.index());
      stage_round_off_.emplace(stages_, formula, system_);
      const double tolerated = static_cast<double>(tolerances.relative), share = stage_round_off_->share(tolerated);
      if (T(share) > settings_.floor) settings_.floor = T(std::min(share, 0.5));
      if (share >= 0.01) this->warn("accuracy-floor", stage_round_off_->warning(tolerated));
    }
    quasi_newton_.settings() = settings_;
    error_norm_ = ErrorNorm<T>(tolerances, system_);
    estimate_.emplace(formula, stages_, system_, jacobian_.linearization());
    const bool keeps_jacobian = iteration_ == StageIteration::quasi || iteration_ == StageIteration::reused_jacobian;
    controller_ = PiController<T>(formula.exponent, order_, keeps_jacobian ? 1.2 : 1);
  }

  T first_step(const State<T>& start, const T& length) const override {
    return starting_step(system_, error_norm_, start, length, stages_.defect_exponent);
  }

  StepDecision<T> judge(const State<T>& from, const T& h, State<T>& to, int failures) override {
    estimate_->take(from, h_, X_);
    const bool suspects_start = failures > 0 || from.control.error == 0;
    const T error = estimate_->size(filter_matrix(), to, suspects_start, error_norm_, this->statistics_);
    StepDecision<T> decision = controller_.judge(error, h, failures, from.control, to.control);
    if (decision.accepted) return decision;
    forget_jacobian(to);  // perhaps the estimate suffers from an old Jacobian
    if (stage_round_off_) decision.round_off = stage_round_off_->of_estimate(to.y, error_norm_);
    return decision;
  }

  Retry<T> retry(const State<T>& /*from*/, const T& h, int failures) const override {
    return {failures == 0 ? h / T(2) : h / T(4)};
  }

 private:
  bool decouples(NewtonIteration newton) const {
    return !stages_.modes.empty() && may_decouple(newton, system_.index(), std::is_same_v<T, double>);
  }
  bool automatic() const { return options_.iteration == NewtonIteration::automatic; }
  bool quasi() const { return iteration_ == StageIteration::quasi || iteration_ == StageIteration::quasi_each_step; }
  bool keeps_stages() const { return guess_ != StageGuess::constant; }
  bool has_memory() const { return keeps_stages() || quasi() || points() > 0; }
  // With fixed steps, the automatic iteration begins a step made again as it began it before.
  bool keeps_jacobian() const { return estimate_ || !quasi(); }

  bool factorization_at_hand() {
    const T& at_hand = jacobian_.factorized_h();
    if (has_memory()) recall();
    if (automatic() && !estimate_ && jacobian_.decouples())
      quasi_newton_.settings().kept_rate = rate_to_keep(rate_when_new_);
    if (!quasi()) return points() > 0 && at_hand == h_;
    if (iteration_ == StageIteration::quasi_each_step || at_hand == T(0) || !quasi_newton_.reusable(T(1))) return false;
    return at_hand == h_ || (jacobian_.decouples() && refactorize().ok());
  }

  // Where the Jacobian that is kept is evaluated: in each stage, or at their mean; none is kept on index 3.
  Index points() const {
    const bool reuses = iteration_ == StageIteration::reused_jacobian && jacobian_.decouples();
    return reuses || iteration_ == StageIteration::quasi ? jacobian_.count() : 0;
  }

  // With fixed steps, the automatic iteration begins anew where the past is void.
  void recall() {
    const StageJacobianMemory<T>& kept = this->past(*from_).jacobian;
    const bool known = keeps_jacobian() || from_->memory_step > T(0);
    quasi_newton_.recall(known ? kept.rate : T(0), known ? kept.round_off : T(0));
    rate_when_new_ = known ? kept.rate_when_new : T(0);
    const bool serves = known && kept.h != T(0) && (quasi() || kept.h == h_);
    if (!serves)
      jacobian_.forget();
    else if (jacobian_.recall(kept.points, kept.t, kept.h, h_, this->statistics_) && estimate_)
      estimate_->forget_matrix();
  }

  void forget_jacobian(State<T>& to) {
    jacobian_.forget();
    if (has_memory()) this->past(to).jacobian.h = T(0);
  }

  Status solve(bool at_hand) {
    if (!quasi()) return newton(settings_, *this, at_hand, this->statistics_);
    const auto jacobians = this->statistics_.jacobians;
    const Status status = quasi_newton_.solve(*this, T(at_hand ? 1 : 0), this->statistics_);
    if (this->statistics_.jacobians != jacobians) rate_when_new_ = quasi_newton_.rate();
    return status;
  }

  // What `full` does: from where it starts, and with its Jacobians.
  Status solve_fully() {
    start_stages(*from_, system_, X_);
    jacobian_.couple_this_step();
    NewtonSettings<T> full = settings_;
    full.full = full.quadratic = true;
    return newton(full, *this, false, this->statistics_);
  }

  // For gamma h: that of a decoupled stage, where gamma is its eigenvalue, otherwise one more. Null when singular.
  IterationMatrix<T>* filter_matrix() {
    IterationMatrix<T>* of_stage = jacobian_.matrix_of(estimate_->gamma());
    return of_stage ? of_stage : estimate_->own_matrix(h_, this->statistics_);
  }

  void start_iteration() {
    guess();
    jacobian_.start_step();
  }
  void guess() {
    const bool same_step = from_->memory_step == h_, has_past = from_->memory_step > T(0);
    const bool extrapolates = guess_ != StageGuess::nearer || (has_past && this->past(*from_).extrapolation_is_better);
    if (keeps_stages() && extrapolates && (same_step || (estimate_ && has_past))) {
      const Matrix<T>& weights =
          same_step ? extrapolation_.same_step() : extrapolation_.step_of_ratio(h_ / from_->memory_step);
      X_ = this->past(*from_).stages.lazyProduct(weights);
    } else {
      start_stages(*from_, system_, X_);
    }
  }

  // Y = y + (compensation + h d y' + h B Y'): the increment is summed before it meets y.
  void stage_values() {
    for (Index i = 0; i < r_; ++i) {
      increase_to_stage(i);
      Y_.col(i).head(differential_) = increment_.head(differential_) + from_->y.head(differential_);
      Y_.col(i).tail(N_ - differential_) = X_.col(i).tail(N_ - differential_);
    }
  }

  void increase_to_stage(Index i) {
    increase_by(d_[i], [&](Index j) -> const T& { return B_transposed_(j, i); });
  }
  // increment := compensation + h (of_start y' + sum_j weight(j) X_j), of differential components.
  void increase_by(const T& of_start, auto&& weight) {
    sum_.clear();
    if (stages_.explicit_first) sum_.add(h_ * of_start, from_->ydot.data());
    for (Index j = 0; j < r_; ++j) sum_.add(h_ * weight(j), X_.col(j).data());
    sum_.evaluate(from_->compensation.data(), differential_, increment_.data());
  }

  Status linearize() override {
    stage_values();
    if (estimate_) estimate_->forget_matrix();
    return jacobian_.evaluate_at(from_->t, h_, Y_, X_, this->statistics_);
  }

  Status linearize_exactly() override {
    jacobian_.couple_this_step();
    return linearize();
  }

  // For the Jacobian at hand, for this step.
  Status refactorize() {
    if (estimate_) estimate_->forget_matrix();
    return jacobian_.refactorize(h_, this->statistics_);
  }

  Status evaluate() override {
    stage_values();
    this->statistics_.residuals += r_;
    for (Index i = 0; i < r_; ++i) t_[i] = from_->t + c_[i] * h_;
    if (!jacobian_.solves_coupled() || system_.index() > 1) return system_.resolved_residuals(t_, Y_, X_, R_);
    for (Index i = 0; i < r_; ++i) {
      y_ = Y_.col(i), ydot_ = X_.col(i);
      ydot_.tail(N_ - differential_).setZero();
      system_.residual(t_[i], y_, ydot_, F_);
      R_.col(i) = F_;
    }
    return {};
  }

  void correct(const T& relaxation) override {
    jacobian_.solve(R_, dX_, this->statistics_);
    X_ -= relaxation * dX_;
  }

  T residual_size() override { return size(R_, false); }
  T correction_size() override {
    return estimate_ ? correction_in_tolerances(dX_, h_, from_->y, system_, error_norm_, algebraic_) : size(dX_, true);
  }

  bool is_round_off() override { return stage_round_off_ && !algebraic_ && stage_round_off_->explains(dX_, Y_, h_); }

  T size(const Matrix<T>& stages, bool scale) const {
    return size_of_stages(stages, options_.norm, scale && options_.norm == Norm::scaled ? &weights_ : nullptr);
  }

  Status finish(State<T>& to) {
    const State<T>& from = *from_;
    to.t = from.t + h_;
    if (stages_.stiffly_accurate)
      increase_to_stage(r_ - 1);
    else
      increase_by(b0_, [&](Index i) -> const T& { return b_[i]; });
    add_increment(from, increment_, differential_, to);
    if (has_memory()) remember(to);
    if (!stages_.stiffly_accurate) {
      if (const Status status = system_.project(to.t, to.y); !status.ok()) return status;
      return system_.consistent_derivatives(to.t, to.y, to.ydot);
    }
    to.y.tail(N_ - differential_) = X_.col(r_ - 1).tail(N_ - differential_);
    to.ydot.head(differential_) = X_.col(r_ - 1).head(differential_);
    return system_.end_step(to.t, to.y, to.ydot);
  }

  void remember(State<T>& to) {
    StageMemory<T>& memory = this->past(to);
    if (stages_.explicit_first) start_stages(*from_, system_, memory.stages.leftCols(1));
    memory.stages.rightCols(r_) = X_;
    if (guess_ == StageGuess::nearer) memory.extrapolation_is_better = extrapolation_would_have_been_better();
    auto& kept = memory.jacobian;
    kept.rate = quasi_newton_.rate(), kept.round_off = quasi_newton_.round_off(), kept.rate_when_new = rate_when_new_;
    const bool serves = points() > 0 && jacobian_.factorized_h() != T(0);
    kept.t = jacobian_.t(), kept.h = serves ? jacobian_.h() : T(0);
    if (serves) kept.points = jacobian_.points();
    to.memory_step = h_;
  }

  // Which start would have been closer to the stages of the step just made: that is the one to take for the next.
  bool extrapolation_would_have_been_better() {
    if (from_->memory_step != h_) return false;
    dX_ = this->past(*from_).stages.lazyProduct(extrapolation_.same_step()) - X_;
    const T extrapolated = size(dX_, true);
    start_stages(*from_, system_, dX_);
    dX_ -= X_;
    return extrapolated < size(dX_, true);
  }

  std::shared_ptr<const PreparedTableau> tableau_;
  System<T>& system_;
  const Stages& stages_;
  int order_;
  NewtonOptions options_;
  StageIteration iteration_;
  StageGuess guess_;
  NewtonSettings<T> settings_;
  QuasiNewton<T> quasi_newton_;
  T rate_when_new_{0};  // of contraction, in the step that the Jacobian at hand was made in
  Index N_, differential_, r_;
  Matrix<T> B_transposed_;
  Vector<T> d_, c_, b_;
  T b0_;
  LinearCombination<T> sum_;
  StageExtrapolation<T> extrapolation_;
  StageJacobian<T> jacobian_;

  std::optional<StepError<T>> estimate_;             // of error control, as the next four
  std::optional<StageRoundOff<T>> stage_round_off_;  // where constraints fix the stages
  ErrorNorm<T> error_norm_;
  AlgebraicCorrections<T> algebraic_{system_};
  PiController<T> controller_{1, 1};

  const State<T>* from_ = nullptr;
  T h_{0};
  Matrix<T> X_, Y_, R_, dX_;  // (N, r): unknowns, stage values, residuals, correction
  Vector<T> t_;               // (r) times of the stages
  Vector<T> y_, ydot_, increment_, weights_;
  Vector<T> F_;  // the residual of a stage
};

}  // namespace

template <class T>
std::unique_ptr<Stepper<T>> make_fully_implicit_runge_kutta(std::shared_ptr<const PreparedTableau> tableau,
                                                            System<T>& system, const NewtonOptions& newton) {
  if (tableau->stages().singular && system.index() >= 2)
    throw NotApplicable(
        fmt::format("{}: its coefficient matrix of the implicit stages is singular, so the Newton matrix of an "
                    "index-{} system is singular for every step size; use an ODE or index-1 formulation",
                    tableau->tableau().name, system.index()));
  return std::make_unique<FullyImplicitRungeKutta<T>>(std::move(tableau), system, newton);
}

#define DAELAB_INSTANTIATE(T)                                                                                     \
  template std::unique_ptr<Stepper<T>> make_fully_implicit_runge_kutta<T>(std::shared_ptr<const PreparedTableau>, \
                                                                          System<T>&, const NewtonOptions&);
DAELAB_INSTANTIATED_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
