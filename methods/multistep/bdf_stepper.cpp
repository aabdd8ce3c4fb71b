#include "methods/multistep/bdf_stepper.hpp"

#include "core/integration/algebraic_corrections.hpp"
#include "methods/multistep/bdf_charts.hpp"
#include "methods/multistep/bdf_round_off.hpp"
#include "methods/multistep/bdf_start.hpp"
#include "methods/multistep/order_selection.hpp"

namespace daelab {
namespace {

// Multipliers are predicted by a polynomial of this degree at most: on index 3 they are rough where the step changes.
constexpr int algebraic_degree = 2;

template <class T>
class BdfStepper final : public TypedStepper<T, BdfMemory<T>>, private NewtonTarget<T> {
 public:
  BdfStepper(const BdfSettings& settings, System<T>& system, const NewtonOptions& options)
      : TypedStepper<T, BdfMemory<T>>({.is_multistep = true}),
        system_(system),
        settings_(settings),
        N_(system.size()),
        d_(system.differential()),
        filtered_(system.index() == 3),
        is_automatic_(options.iteration == NewtonIteration::automatic),
        keeps_jacobian_(options.iteration == NewtonIteration::automatic || options.iteration == NewtonIteration::quasi),
        norm_(options.norm),
        quasi_newton_(NewtonSettings<T>(options)),
        selector_(settings.selector, settings.order, settings.growth_caps),
        start_(settings, system),
        kept_(N_),
        linearization_(system.linearization()),
        matrix_(linearization_->real_matrix()) {
    for (Vector<T>* x : {&delta_, &increment_, &predicted_slope_, &y_, &ydot_, &F_, &weights_, &error_}) x->setZero(N_);
    // What the iteration leaves comes back as (sum |alpha_i|)^2 / h^2 times as much on index 3, with k = 5 17^2 times.
    quasi_newton_.settings().set_tolerance(epsilon<T>());
  }

  std::vector<std::string> newton_options() const override {
    std::vector<std::string> names = {"name", "test", "tolerance", "max_iterations"};
    if (!controlled_) names.push_back("norm");
    if (keeps_jacobian_) names.push_back("relaxation");
    return names;
  }

  HeldMemory make_memory() const override {
    return HeldMemory::of(BdfMemory<T>{BdfHistory<T>(N_), KeptJacobian<T>(keeps_jacobian_ ? N_ : 0)});
  }

  void control(const Tolerances<T>& tolerances) override {
    controlled_ = true;
    error_norm_ = ErrorNorm<T>(tolerances, system_);
    start_.control(tolerances);
    quasi_newton_.settings().use_error_tolerances();
    // Positions add up what is left of velocity constraints, and index 3 amplifies it in velocities (docs/newton.md).
    if (is_automatic_ && system_.index() < 2) quasi_newton_.settings().set_tolerance(T(3) / T(100));
  }
  // [Ren20, algorithm 4, step 2]; after an explicit restart the size there was before.
  T first_step(const State<T>& start, const T& length) const override {
    return start_.resumes(start) ? std::min(start.control.pace.h, length) : T(length / T(100000));
  }

  Status step(const State<T>& from, const T& h, State<T>& to) override {
    if (const Status status = system_.start_step(from.t, h, from.y); !status.ok()) {
      to.memory = from.memory;
      return status;
    }
    if (keeps_jacobian_) recall(from);
    const Status status = make_step(from, h, to);
    if (keeps_jacobian_) this->past(to).jacobian = kept_;
    return status;
  }

  // The differences of the step's end are in `to`, put there by step().
  StepDecision<T> judge(const State<T>& from, const T& h, State<T>& to, int failures) override {
    if (is_explicit_) return start_.judge(from, h, to, failures);
    BdfHistory<T>& history = this->past(to).history;
    const DifferenceSizes sizes = measure(history);
    StepDecision<T> decision;
    decision.error = T(sizes.error[k_] * sizes.nabla[k_ + 1]);  // [Ren20, algorithm 4, step 5 h]
    decision.accepted = decision.error <= T(1);
    decision.order = k_, decision.exponent = k_ + 1,
    decision.smoothness = numerical_smoothness(k_, [&](int j) {
      const bool is_known = !filtered_ && j >= selector_.lowest_difference(k_);
      return is_known ? sizes.nabla[j] : static_cast<double>(error_norm_(history.difference(j)));
    });
    const bool first = from.memory_step == T(0);
    StepChoice choice{1, 0.25};
    if (decision.accepted)
      choice = first ? StepChoice{1, 1.0} : may_change(history) ? selector_.next(sizes) : StepChoice{k_, 1.0};
    else if (failures < 2)
      choice = selector_.again(sizes);
    if (!decision.accepted && failures == 1) choice.ratio /= 2;
    decision.h = T(choice.ratio) * h;
    history.next_order = choice.order;
    to.control = from.control;
    to.control.order = decision.accepted ? 0 : choice.order;
    if (!decision.accepted)
      decision.round_off = estimate_from_round_off(system_, to.y, k_, sizes.error[k_], error_norm_, error_);
    auto& pace = to.control.pace;
    const bool shortened = failures > 0 || (from.t == pace.from && h < pace.h);
    if (decision.accepted && !shortened) pace = {from.t, h, k_};
    if (keeps_jacobian_) this->past(to).jacobian = kept_;
    return decision;
  }

  // A smaller step of the same order; of order 1 when that fails again and again.
  Retry<T> retry(const State<T>& from, const T& h, int failures) const override {
    return {h / T(4), failures < 2 ? order_after(from) : 1};
  }

  bool change_coordinates(State<T>& state, CoordinateChange<T>& change) override {
    if (keeps_jacobian_) {
      kept_.h = T(0);
      this->past(state).jacobian = kept_;
    }
    if (state.memory_step == T(0)) return true;
    daelab::change_coordinates(this->past(state).history, state.y, system_.positions(), system_.accelerations(),
                               change);
    return true;
  }

  bool interpolate(const State<T>& /*from*/, const State<T>& to, const T& t, Vector<T>& y) override {
    const BdfHistory<T>& history = this->past(to).history;
    const int k = history.order;
    if (k == 0) return false;
    const BdfArray<T> w = interpolation_weights(history, k, T(t - to.t));
    for (Index i = 0; i < d_; ++i) {
      T sum = to.compensation[i];
      for (int j = k; j >= 1; --j) sum += w[j] * history.difference(j)[i];
      y[i] = to.y[i] + sum;
    }
    return true;
  }

 private:
  Status make_step(const State<T>& from, const T& h, State<T>& to) {
    BdfHistory<T>& history = this->past(to).history;
    k_ = order_after(from);
    is_explicit_ = controlled_ && start_.restarts(from, this->past(from).history);
    if (from.memory_step == T(0)) {
      if (const Status status = start(from, h, history); !status.ok()) return status;
    } else {
      rescale_history(settings_.formula, this->past(from).history, h, k_ + 1, history);
    }
    to.memory_step = h;
    const int steps = static_cast<int>(history.steps);
    if (is_explicit_) return one_step(from, h, steps, to);
    // Numerical formulas look back by one more.
    const int needed = settings_.order - 1 + (settings_.numerical ? 1 : 0);
    if (!controlled_ && steps < needed) return one_step(from, h, steps, to);
    predict(from, h, history);
    if (const Status status = correct_step(); !status.ok()) return status;
    if (const Status status = finish(to); !status.ok()) return status;
    const bool is_equal = from.memory_step == h && this->past(from).history.order == k_;
    advance_history(history, k_, delta_);
    history.equal_steps = is_equal ? history.equal_steps + 1 : 1;
    return {};
  }

  // After a step that was accepted. [Ren20, Sec. 4, on DIFSUB and LSODI]
  bool may_change(const BdfHistory<T>& history) const {
    return !settings_.equal_steps || history.equal_steps >= k_ + 2;
  }

  int order_after(const State<T>& from) const {
    if (!controlled_) return settings_.order;
    if (from.control.order > 0) return from.control.order;
    return from.memory_step == T(0) ? 1 : this->past(from).history.next_order;
  }

  // An empty past. In the middle of a run y' may be that of a step which a discontinuity was in.
  Status start(const State<T>& from, const T& h, BdfHistory<T>& history) {
    if (!controlled_ || from.control.pace.order == 0) {
      start_history(h, from.ydot, history);
      return {};
    }
    y_ = from.y, ydot_ = from.ydot;
    ++this->statistics_.residuals;
    if (const Status status = system_.consistent_derivatives(from.t, y_, ydot_); !status.ok()) return status;
    start_history(h, ydot_, history);
    if (is_explicit_) history.next_order = from.control.pace.order;
    return {};
  }

  Status one_step(const State<T>& from, const T& h, int steps, State<T>& to) {
    const Status status = start_.step(is_explicit_, from, h, to, this->statistics_);
    for (Index i = 0; i < N_; ++i) increment_[i] = (to.y[i] - from.y[i]) + (to.compensation[i] - from.compensation[i]);
    append_to_history(this->past(to).history, steps, increment_);
    return status;
  }

  // y^0 - y_n, with what y_n lost to rounding, y'^0 and the first delta. [Ren20, eqs. (61), (63)]
  void predict(const State<T>& from, const T& h, const BdfHistory<T>& history) {
    from_ = &from;
    t_ = from.t + h;
    const BdfWeights<T> weights(history, settings_.numerical);
    hh_ = h / weights.delta[k_];
    increment_ = from.compensation;
    predicted_slope_.setZero();
    delta_.setZero();
    for (int j = k_; j >= 1; --j) {
      const T slope = weights.c[j] / h;
      const auto difference = history.difference(j);
      increment_ += difference;
      predicted_slope_.head(d_) += slope * difference.head(d_);
      if (j > algebraic_degree) delta_.tail(N_ - d_) -= difference.tail(N_ - d_);
    }
    if (controlled_)
      error_norm_.weigh(from.y);
    else
      system_.correction_weights(hh_, from.y, weights_);
  }

  Status correct_step() {
    if (!keeps_jacobian_) return newton(quasi_newton_.settings(), *this, false, this->statistics_);
    T ratio = kept_.h > T(0) ? T(hh_ / kept_.h) : T(0);
    if (quasi_newton_.reusable(ratio))
      matrix_->reuse(hh_);
    else
      ratio = T(0);
    const Status status = quasi_newton_.solve(*this, ratio, this->statistics_);
    if (!status.ok()) kept_.h = T(0);
    kept_.rate = quasi_newton_.rate();
    return status;
  }

  // y and y' of the iterate.
  void load() {
    y_ = from_->y + (increment_ + delta_);
    ydot_.head(d_) = predicted_slope_.head(d_) + delta_.head(d_) / hh_;
  }

  Status linearize() override {
    load();
    kept_.t = t_, kept_.h = hh_;
    kept_.y = y_, kept_.ydot = ydot_;
    return make_jacobian();
  }

  Status make_jacobian() {
    linearization_->evaluate(kept_.t, kept_.y, kept_.ydot);
    ++this->statistics_.jacobians;
    ++this->statistics_.factorizations;
    const Status status = matrix_->factorize(kept_.h);
    if (!status.ok()) kept_.h = T(0);
    return status;
  }

  // The Jacobian that the state goes on with.
  void recall(const State<T>& from) {
    if (kept_.load(this->past(from).jacobian)) make_jacobian();
    quasi_newton_.recall(kept_.rate, T(0));
  }

  Status evaluate() override {
    load();
    ++this->statistics_.residuals;
    return system_.resolved_residual(t_, y_, ydot_, F_);
  }

  void correct(const T& relaxation) override {
    matrix_->solve(F_);
    ++this->statistics_.back_solves;
    if (relaxation != T(1)) F_ *= relaxation;
    delta_.head(d_) -= hh_ * F_.head(d_);
    delta_.tail(N_ - d_) -= F_.tail(N_ - d_);
  }

  // Not on index 3, whose corrections are filtered of it.
  bool is_round_off() override {
    return controlled_ && !filtered_ && !algebraic_ && are_round_off(F_, y_, hh_, system_, slope_round_off<T>(k_));
  }
  T residual_size() override { return size(F_, false); }
  T correction_size() override {
    if (!controlled_) return size(F_, norm_ == Norm::scaled);
    error_.head(d_) = hh_ * F_.head(d_);
    if (system_.positions() == 0) return size_of_states();
    const T unfiltered = error_norm_(error_);  // small enough, it saves the filter
    NormOf<T> norm;
    const bool is_enough = !filtered_ || T(10) * unfiltered <= quasi_newton_.settings().tolerance;
    norm.add(is_enough ? unfiltered : error_size());
    norm.add(algebraic_.size(F_, hh_, from_->y, error_norm_));
    return norm.value();
  }

  // Of first-order systems: algebraic states are results like the others; nothing else would bring them onto their
  // equations. On index 2 and 3 they hold the others by h and h^2 times themselves, and have the round-off of these.
  T size_of_states() {
    const int index = system_.index();
    const T held = index == 3 ? T(hh_ * hh_) : index == 2 ? hh_ : T(1);
    NormOf<T> norm;
    norm.add(T(held * error_norm_(F_, d_, N_ - d_, d_))), norm.add(error_size());
    return norm.value();
  }

  T size(const Vector<T>& x, bool scale) const {
    NormOf<T> norm(norm_);
    scale ? norm.add_all(weights_.cwiseProduct(x)) : norm.add_all(x);
    return norm.value();
  }

  // |error_| in tolerances, velocities filtered on index 3, several times a step. [Ren20, eq. (80)]
  T error_size() {
    if (filtered_) {
      matrix_->make_tangential(error_);
      ++this->statistics_.back_solves;
    }
    return error_norm_(error_);
  }

  // Where the form projects, the past gets what the step end is then.
  Status finish(State<T>& to) {
    load();
    if (system_.projects()) {
      error_ = y_;
      if (const Status status = system_.end_step(t_, y_, ydot_); !status.ok()) return status;
      delta_ += y_ - error_;
    }
    to.y = y_;
    to.ydot.head(d_) = ydot_.head(d_);
    to.compensation.head(d_) = (increment_.head(d_) + delta_.head(d_)) - (y_.head(d_) - from_->y.head(d_));
    to.compensation.tail(N_ - d_).setZero();
    to.t = t_;
    ++this->statistics_.steps;
    return {};
  }

  // Of nabla^j, filtered as error_size() does.
  double size_of(const BdfHistory<T>& history, int j) {
    if (!filtered_) return static_cast<double>(error_norm_(history.difference(j)));
    error_ = history.difference(j);
    return static_cast<double>(error_size());
  }

  DifferenceSizes measure(const BdfHistory<T>& history) {
    DifferenceSizes sizes;
    sizes.order = k_;
    const BdfWeights<T> weights(history, settings_.numerical);
    for (int j = 1; j <= k_ + 1; ++j) sizes.error[j] = static_cast<double>(weights.error[j]);
    for (int j = selector_.lowest_difference(k_); j <= k_ + 2; ++j) sizes.nabla[j] = size_of(history, j);
    const double h = static_cast<double>(history.tau[1]), before = static_cast<double>(history.tau[2]) - h,
                 earlier = static_cast<double>(history.tau[3]) - h - before;
    sizes.growth = h / before * (h + before) / (before + earlier);
    return sizes;
  }

  System<T>& system_;
  BdfSettings settings_;
  Index N_, d_;
  bool filtered_, is_automatic_, keeps_jacobian_, controlled_ = false;
  Norm norm_;
  QuasiNewton<T> quasi_newton_;
  ErrorNorm<T> error_norm_;
  AlgebraicCorrections<T> algebraic_{system_};
  OrderSelector selector_;
  BdfStart<T> start_;
  KeptJacobian<T> kept_;
  std::unique_ptr<Linearization<T>> linearization_;
  std::unique_ptr<IterationMatrix<T>> matrix_;
  bool is_explicit_ = false;  // the step at hand is one of a restart

  const State<T>* from_ = nullptr;
  int k_ = 1;
  T t_{0}, hh_{0};
  Vector<T> delta_, increment_, predicted_slope_;  // (N)
  Vector<T> y_, ydot_, F_, weights_, error_;       // (N)
};

}  // namespace

#define DAELAB_INSTANTIATE(T)                                                                            \
  std::unique_ptr<Stepper<T>> BdfMethod::stepper(System<T>& system, const NewtonOptions& newton) const { \
    return std::make_unique<BdfStepper<T>>(settings_, system, newton);                                   \
  }
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
