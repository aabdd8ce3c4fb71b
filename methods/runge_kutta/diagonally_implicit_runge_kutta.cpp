// The engine of diagonally implicit Runge-Kutta methods (DIRK; SDIRK and ESDIRK where the diagonal is constant): one
// stage after the other,
//
//   Y_i = y_n + h sum_(j<i) A_ij Y'_j + h A_ii Y'_i,  F(t_n + c_i h, Y_i, Y'_i) = 0.
//
// All stages of one diagonal entry have one iteration matrix, F_y' + h A_ii F_y. It is factorised once for them and,
// while the iteration contracts, for many steps. [HW96, Sec. IV.6; HS96]
//
// [HS96] Hosea, Shampine, Analysis and implementation of TR-BDF2, Appl. Numer. Math. 20, 1996, 21-37.
// [HW96] Hairer, Wanner, Solving Ordinary Differential Equations II, 2nd ed., Springer.
#include <algorithm>
#include <numeric>

#include "core/integration/algebraic_corrections.hpp"
#include "core/integration/kept_jacobian.hpp"
#include "core/integration/pi_controller.hpp"
#include "methods/runge_kutta/runge_kutta.hpp"
#include "methods/runge_kutta/stage_round_off.hpp"
#include "methods/runge_kutta/step_end.hpp"
#include "methods/runge_kutta/step_error.hpp"

namespace daelab {
namespace {

// Weights of the start of the step (column 0) and of earlier stages in the guess of each stage: the polynomial through
// the nearest nodes, at most three, fewer where it would enlarge their errors.
Matrix<double> guess_weights(const Vector<double>& c) {
  constexpr double largest_growth = 6, least_distance = 0.01;
  const Index s = c.size();
  Matrix<double> weights = Matrix<double>::Zero(s, s + 1);
  const auto node = [&](Index k) { return k == 0 ? 0.0 : c[k - 1]; };
  for (Index i = 0; i < s; ++i) {
    std::vector<Index> known(static_cast<std::size_t>(i) + 1), chosen;
    std::iota(known.begin(), known.end(), Index(0));
    std::stable_sort(known.begin(), known.end(),
                     [&](Index a, Index b) { return std::abs(node(a) - c[i]) < std::abs(node(b) - c[i]); });
    for (const Index k : known) {
      const auto near = [&](Index other) { return std::abs(node(other) - node(k)) < least_distance; };
      if (std::none_of(chosen.begin(), chosen.end(), near)) chosen.push_back(k);
    }
    chosen.resize(std::min<std::size_t>(chosen.size(), 3));
    for (;; chosen.pop_back()) {
      weights.row(i).setZero();
      for (const Index k : chosen) {
        weights(i, k) = 1;
        for (const Index other : chosen)
          if (other != k) weights(i, k) *= (c[i] - node(other)) / (node(k) - node(other));
      }
      if (chosen.size() == 1 || weights.row(i).cwiseAbs().sum() <= largest_growth) break;
    }
  }
  return weights;
}

template <class T>
class DiagonallyImplicitRungeKutta final : public TypedStepper<T, KeptJacobian<T>>, private NewtonTarget<T> {
 public:
  DiagonallyImplicitRungeKutta(std::shared_ptr<const PreparedTableau> prepared, System<T>& system,
                               const NewtonOptions& options)
      : prepared_(std::move(prepared)),
        tableau_(prepared_->tableau()),
        stages_(prepared_->stages()),
        system_(system),
        N_(system.size()),
        d_(system.differential()),
        s_(tableau_.stages()),
        first_(stages_.explicit_first ? 1 : 0),
        automatic_(options.iteration == NewtonIteration::automatic),
        keeps_jacobian_(automatic_ || options.iteration == NewtonIteration::quasi),
        once_a_step_(options.iteration == NewtonIteration::simplified),
        norm_(options.norm),
        quasi_newton_(NewtonSettings<T>(options)),
        A_(prepared_->template rounded<T>().A),
        b_(prepared_->template rounded<T>().b),
        c_(prepared_->template rounded<T>().c),
        guess_(guess_weights(tableau_.c.cast<double>()).cast<T>()),
        kept_(N_),
        linearization_(system.linearization()),
        matrix_(linearization_->real_matrix()) {
    X_.setZero(N_, s_);
    for (Vector<T>* x : {&before_, &increment_, &y_, &ydot_, &F_, &weights_, &error_}) x->setZero(N_);
    if (automatic_) quasi_newton_.settings().go_to_round_off();
  }

  std::vector<std::string> newton_options() const override {
    std::vector<std::string> names = {"name", "test", "tolerance", "max_iterations"};
    if (!estimate_) names.push_back("norm");
    if (keeps_jacobian_) names.push_back("relaxation");
    return names;
  }

  HeldMemory make_memory() const override {
    return keeps_jacobian_ ? HeldMemory::of(KeptJacobian<T>(N_)) : HeldMemory();
  }

  /// The Jacobian that is kept belongs to the old coordinates.
  bool change_coordinates(State<T>& state, CoordinateChange<T>& /*change*/) override {
    kept_.h = T(0);
    if (keeps_jacobian_) this->past(state) = kept_;
    return true;
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
    recall();
    Status status = make_stages();
    if (!status.ok() && automatic_ && !estimate_) status = make_stages_fully();
    if (!status.ok()) kept_.h = T(0);
    if (status.ok()) status = finish(to);
    remember(to);
    return status;
  }

  /// The difference to the embedded solution where the tableau has one, otherwise the defect at the start.
  void control(const Tolerances<T>& tolerances) override {
    const bool embedded = tableau_.b_embedded.size() > 0 && tableau_.embedded_order > 0;
    const ErrorFormula formula = embedded ? embedded_formula(tableau_, stages_) : defect_formula(stages_);
    if (system_.index() >= 2 && N_ > d_) {
      refuse_steps_that_leave_constraints(stages_, system_.index());
      stage_round_off_.emplace(stages_, formula, system_);
    }
    if (system_.index() >= 3) warn_of_index_3();
    if (const EstimateSight& sees = prepared_->sight(); embedded && !(sees.time && sees.linear_problems))
      this->warn("error-estimate", blind_estimate_warning(sees, true));
    quasi_newton_.settings().use_error_tolerances();
    error_norm_ = ErrorNorm<T>(tolerances, system_);
    estimate_.emplace(formula, stages_, system_, *linearization_);
    exponent_ = formula.exponent, amplification_ = formula.amplification;
    controller_ = PiController<T>(exponent_, tableau_.claimed_order, keeps_jacobian_ ? 1.2 : 1);
  }

  T first_step(const State<T>& start, const T& length) const override {
    return starting_step(system_, error_norm_, start, length, exponent_);
  }

  StepDecision<T> judge(const State<T>& from, const T& h, State<T>& to, int failures) override {
    estimate_->take(from, h, X_.rightCols(s_ - first_));
    const bool suspects_start = failures > 0 || from.control.error == 0;
    const T error = estimate_->size(filter_matrix(), to, suspects_start, error_norm_, this->statistics_);
    StepDecision<T> decision = controller_.judge(error, h, failures, from.control, to.control);
    decision.amplification = amplification_;
    if (!decision.accepted) kept_.h = T(0);  // perhaps the estimate suffers from an old Jacobian
    if (!decision.accepted && stage_round_off_) decision.round_off = stage_round_off_->of_estimate(to.y, error_norm_);
    remember(to);
    return decision;
  }

  Retry<T> retry(const State<T>& /*from*/, const T& h, int failures) const override {
    return {failures == 0 ? h / T(2) : h / T(4)};
  }

 private:
  // Theory is silent there. On the pendulum q of kvaerno-4 has order 2 and lambda order 1, of the embedded solution
  // too.
  void warn_of_index_3() {
    this->warn("error-estimate",
               "the estimate of diagonally implicit methods says too little on index 3, where they lose orders; "
               "ggl, radau-iia and bdf do not have this");
  }

  // ----- the Jacobian at hand -----

  // On index 3 what an old one leaves comes back as 1/h^2 times as much, and the estimate needs the constraints'
  // directions as they are now: it is renewed in each step.
  void recall() {
    if (!keeps_jacobian_) {
      kept_.h = T(0);
      return;
    }
    const bool differs = kept_.load(this->past(*from_));
    quasi_newton_.recall(kept_.rate, kept_.round_off);
    if (automatic_ && system_.index() == 3)
      kept_.h = T(0);
    else if (differs)
      make_jacobian();
  }

  void remember(State<T>& to) {
    kept_.rate = quasi_newton_.rate(), kept_.round_off = quasi_newton_.round_off();
    if (keeps_jacobian_) this->past(to) = kept_;
  }

  Status make_jacobian() {
    linearization_->evaluate(kept_.t, kept_.y, kept_.ydot);
    if (estimate_) estimate_->forget_matrix();
    ++this->statistics_.jacobians;
    ++this->statistics_.factorizations;
    const Status status = matrix_->factorize(kept_.h);
    if (!status.ok()) kept_.h = T(0);
    return status;
  }

  // ----- stages -----

  Status make_stages() {
    for (stage_ = 0; stage_ < s_; ++stage_) {
      begin_stage();
      if (stage_ < first_) continue;
      if (const Status status = solve_stage(); !status.ok()) return status;
    }
    return {};
  }

  // What `full` does.
  Status make_stages_fully() {
    NewtonSettings<T> full = quasi_newton_.settings();
    full.full = full.quadratic = true;
    for (stage_ = first_; stage_ < s_; ++stage_) {
      begin_stage();
      if (const Status status = newton(full, *this, false, this->statistics_); !status.ok()) return status;
    }
    return {};
  }

  // What earlier stages contribute, with what y_n lost to rounding, and the guess.
  void begin_stage() {
    kappa_ = h_ * A_(stage_, stage_);
    before_ = from_->compensation;
    for (Index j = 0; j < stage_; ++j)
      if (A_(stage_, j) != T(0)) before_.head(d_) += (h_ * A_(stage_, j)) * X_.col(j).head(d_);
    auto x = X_.col(stage_);
    x.head(d_) = guess_(stage_, 0) * from_->ydot.head(d_);
    x.tail(N_ - d_) = guess_(stage_, 0) * from_->y.tail(N_ - d_);
    for (Index j = 0; j < stage_; ++j)
      if (guess_(stage_, j + 1) != T(0)) x += guess_(stage_, j + 1) * X_.col(j);
  }

  Status solve_stage() {
    if (!keeps_jacobian_) {
      const bool at_hand = once_a_step_ && kept_.h == kappa_;
      return newton(quasi_newton_.settings(), *this, at_hand, this->statistics_);
    }
    T ratio = kept_.h > T(0) ? T(kappa_ / kept_.h) : T(0);
    if (quasi_newton_.reusable(ratio))
      matrix_->reuse(kappa_);
    else
      ratio = T(0);
    return quasi_newton_.solve(*this, ratio, this->statistics_);
  }

  // The increment is summed before it meets y.
  void load() {
    const auto x = X_.col(stage_);
    increment_.head(d_) = before_.head(d_) + kappa_ * x.head(d_);
    y_.head(d_) = from_->y.head(d_) + increment_.head(d_);
    y_.tail(N_ - d_) = x.tail(N_ - d_);
    ydot_.head(d_) = x.head(d_);
  }

  Status linearize() override {
    load();
    kept_.t = from_->t + c_[stage_] * h_, kept_.h = kappa_;
    kept_.y = y_, kept_.ydot = ydot_;
    return make_jacobian();
  }

  Status evaluate() override {
    load();
    ++this->statistics_.residuals;
    return system_.resolved_residual(from_->t + c_[stage_] * h_, y_, ydot_, F_);
  }

  void correct(const T& relaxation) override {
    matrix_->solve(F_);
    ++this->statistics_.back_solves;
    if (relaxation != T(1)) F_ *= relaxation;
    X_.col(stage_) -= F_;
  }

  // ----- sizes -----

  T residual_size() override { return size(F_, false); }
  T correction_size() override {
    if (!estimate_) return size(F_, norm_ == Norm::scaled);
    error_.head(d_) = kappa_ * F_.head(d_);
    if (system_.positions() == 0) return size_of_states();
    NormOf<T> norm;
    norm.add(size_of_motion());
    norm.add(algebraic_.size(F_, kappa_, from_->y, error_norm_));
    return norm.value();
  }

  // Not on index 3, whose corrections are filtered of it.
  bool is_round_off() override {
    return stage_round_off_ && system_.index() == 2 && !algebraic_ && stage_round_off_->explains(F_, y_, h_);
  }

  T size_of_motion() {
    const T unfiltered = error_norm_(error_);
    if (system_.index() != 3 || T(10) * unfiltered <= quasi_newton_.settings().tolerance) return unfiltered;
    matrix_->make_tangential(error_);
    ++this->statistics_.back_solves;
    return error_norm_(error_);
  }

  // Of first-order systems: algebraic states are results like the others. On index 2 and 3 they hold the others by h
  // and h^2 times themselves. Those near zero carry the round-off of the others, which no small absolute tolerance
  // removes.
  T size_of_states() const {
    NormOf<T> norm;
    norm.add(error_norm_(error_));
    const T least = T(100) * epsilon<T>() * from_->y.cwiseAbs().maxCoeff();
    const int index = system_.index();
    const T held = index == 3 ? T(kappa_ * kappa_) : index == 2 ? kappa_ : T(1);
    if (N_ > d_ && F_.tail(N_ - d_).cwiseAbs().maxCoeff() > least) norm.add(T(held * error_norm_(F_, d_, N_ - d_, d_)));
    return norm.value();
  }

  T size(const Vector<T>& x, bool scale) const {
    NormOf<T> norm(norm_);
    scale ? norm.add_all(weights_.cwiseProduct(x)) : norm.add_all(x);
    return norm.value();
  }

  // That of the stages where the formula has their diagonal entry, otherwise one more. Null when singular.
  IterationMatrix<T>* filter_matrix() {
    if (kept_.h > T(0) && estimate_->gamma() * h_ == kappa_) return matrix_.get();
    return estimate_->own_matrix(h_, this->statistics_);
  }

  // ----- the end of the step -----

  Status finish(State<T>& to) {
    const State<T>& from = *from_;
    to.t = from.t + h_, to.memory_step = h_;
    ++this->statistics_.steps;
    stage_ = s_ - 1;
    load();
    if (!stages_.stiffly_accurate) {
      increment_.head(d_) = from.compensation.head(d_);
      for (Index i = 0; i < s_; ++i) increment_.head(d_) += (h_ * b_[i]) * X_.col(i).head(d_);
    }
    add_increment(from, increment_, d_, to);
    if (!stages_.stiffly_accurate) {
      if (const Status status = system_.project(to.t, to.y); !status.ok()) return status;
      return system_.consistent_derivatives(to.t, to.y, to.ydot);
    }
    to.y.tail(N_ - d_) = y_.tail(N_ - d_);
    to.ydot.head(d_) = ydot_.head(d_);
    return system_.end_step(to.t, to.y, to.ydot);
  }

  std::shared_ptr<const PreparedTableau> prepared_;
  const Tableau& tableau_;
  const Stages& stages_;
  System<T>& system_;
  Index N_, d_, s_, first_;  // d_: differential components; first_: of the implicit stages
  bool automatic_, keeps_jacobian_, once_a_step_;
  Norm norm_;
  QuasiNewton<T> quasi_newton_;
  const Matrix<T>& A_;
  const Vector<T>&b_, &c_;
  Matrix<T> guess_;  // (s, s + 1)
  KeptJacobian<T> kept_;
  std::unique_ptr<Linearization<T>> linearization_;
  std::unique_ptr<IterationMatrix<T>> matrix_;

  std::optional<StepError<T>> estimate_;             // of error control, as the next five
  std::optional<StageRoundOff<T>> stage_round_off_;  // where constraints fix the stages
  ErrorNorm<T> error_norm_;
  AlgebraicCorrections<T> algebraic_{system_};
  PiController<T> controller_{1, 1};
  int exponent_ = 0;
  double amplification_ = 1;

  const State<T>* from_ = nullptr;
  T h_{0}, kappa_{0};
  Index stage_ = 0;
  Matrix<T> X_;  // (N, s) y' of differential, y of algebraic components
  Vector<T> before_, increment_, y_, ydot_, F_, weights_, error_;  // (N)
};

}  // namespace

template <class T>
std::unique_ptr<Stepper<T>> make_diagonally_implicit_runge_kutta(std::shared_ptr<const PreparedTableau> tableau,
                                                                 System<T>& system, const NewtonOptions& newton) {
  return std::make_unique<DiagonallyImplicitRungeKutta<T>>(std::move(tableau), system, newton);
}

#define DAELAB_INSTANTIATE(T)                                                                                          \
  template std::unique_ptr<Stepper<T>> make_diagonally_implicit_runge_kutta<T>(std::shared_ptr<const PreparedTableau>, \
                                                                               System<T>&, const NewtonOptions&);
DAELAB_INSTANTIATED_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
