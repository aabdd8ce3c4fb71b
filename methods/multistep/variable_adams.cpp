#include "methods/multistep/variable_adams.hpp"

#include <algorithm>
#include <limits>

#include "core/integration/explicit_stepper.hpp"
#include "core/integration/pi_controller.hpp"
#include "methods/multistep/adams.hpp"
#include "methods/multistep/adams_differences.hpp"
#include "methods/multistep/adams_order_selection.hpp"
#include "methods/multistep/pece_stability.hpp"

namespace daelab {
namespace {

template <class T>
class VariableAdams final : public TypedStepper<T, AdamsPast<T>, ExplicitStepper<T>> {
 public:
  VariableAdams(const VariableAdamsSettings& settings, System<T>& system)
      : TypedStepper<T, AdamsPast<T>, ExplicitStepper<T>>(system, settings.k + 1, {.is_multistep = true}),
        system_(system),
        highest_(settings.k),
        columns_(adams_columns(settings.k)),
        N_(system.size()),
        start_(settings.start->stepper(system, {})),
        stars_(Matrix<T>::Zero(N_, columns_)) {
    for (const Warning& warning : start_->warnings()) this->warn(warning.kind, warning.text);
    for (Vector<T>* x : {&predicted_, &slope_, &increment_, &difference_}) x->setZero(N_);
  }

  HeldMemory make_memory() const override { return HeldMemory::of(AdamsPast<T>(N_, columns_)); }

  void control(const Tolerances<T>& tolerances) override {
    controlled_ = true;
    error_norm_ = ErrorNorm<T>(tolerances, system_);
    this->watch_stiffness(pece_stability_limit(1));
  }
  // The estimate of the first step is that of order 1.
  T first_step(const State<T>& start, const T& length) const override {
    return starting_step(system_, error_norm_, start, length, 2);
  }

  Status step(const State<T>& from, const T& h, State<T>& to) override {
    if (const Status status = this->start(from, h); !status.ok()) return status;
    begin(from, h, to);
    const AdamsPast<T>& past = this->past(to);
    Status status;
    if (!controlled_ && past.known < highest_) {
      k_ = 0;
      status = this->step_by(*start_, from, h, to);
    } else {
      k_ = !controlled_ ? highest_ : from.control.order > 0 ? from.control.order : past.next_order;
      status = predict_and_correct(from, h, to);
    }
    if (status.ok()) advance(from, h, to);
    return status;
  }

  StepDecision<T> judge(const State<T>& from, const T& h, State<T>& to, int failures) override {
    error_norm_.weigh(from.y);
    AdamsPast<T>& past = this->past(to);
    const AdamsErrors errors = measure(h, past);
    StepDecision<T> decision;
    decision.error = T(errors.now);
    decision.accepted = decision.error <= T(1);
    decision.order = decision.exponent = k_ + 1;
    const AdamsChoice choice = decision.accepted ? next_adams_step(errors, highest_, failures == 0 && past.rises)
                                                 : adams_step_again(errors, failures);
    decision.h = T(choice.ratio) * h;
    past.next_order = choice.order, past.rises = choice.rises;
    to.control = from.control;
    to.control.order = decision.accepted ? 0 : choice.order;
    this->limit_stability(pece_stability_limit(k_));
    return this->watched(decision, h, to);
  }

  // The integral of the polynomial through the slopes of the step's end and of k steps before.
  bool interpolate(const State<T>& from, const State<T>& to, const T& t, Vector<T>& y) override {
    const AdamsPast<T>& past = this->past(to);
    const int k = past.order;
    if (k == 0) return ExplicitStepper<T>::interpolate(from, to, t, y);
    const auto w = adams_interpolation_weights(past, k, T(t - to.t));
    increment_ = to.compensation;
    for (int j = k; j >= 0; --j) increment_ += w[index(j)] * past.phi.col(j);
    const Index d = system_.differential();
    y.head(d) = to.y.head(d) + increment_.head(d);
    return true;
  }

 private:
  static std::size_t index(int j) { return static_cast<std::size_t>(j); }

  // The past at the start of the step, in `to`, and its phi*.
  void begin(const State<T>& from, const T& h, State<T>& to) {
    AdamsPast<T>& past = this->past(to);
    if (from.memory_step == T(0)) {
      past.phi.col(0) = from.ydot;
      past.known = past.next_order = 1, past.rises = true;
      past.equal_steps = past.order = 0;
    } else {
      past = this->past(from);
    }
    weights_.find(past, h);
    for (int j = 0; j < past.known; ++j) stars_.col(j) = weights_.beta[index(j)] * past.phi.col(j);
  }

  Status predict_and_correct(const State<T>& from, const T& h, State<T>& to) {
    increment_ = from.compensation;
    difference_.setZero();
    for (int j = k_ - 1; j >= 0; --j) {
      increment_ += (h * weights_.g[index(j)]) * stars_.col(j);
      difference_ -= stars_.col(j);
    }
    predicted_ = from.y + increment_;
    if (const Status status = this->slope(from.t + h, predicted_, slope_); !status.ok()) return status;
    difference_ += slope_;
    increment_ += (h * weights_.g[index(k_)]) * difference_;
    return this->finish(from, h, increment_, to);
  }

  // The differences at the end of the step.
  void advance(const State<T>& from, const T& h, State<T>& to) {
    AdamsPast<T>& past = this->past(to);
    past.phi.col(0) = to.ydot;
    for (int j = 1; j <= std::min(past.known, columns_ - 1); ++j)
      past.phi.col(j) = past.phi.col(j - 1) - stars_.col(j - 1);
    for (int j = columns_; j > 0; --j) past.d[j] = h + past.d[j - 1];
    past.known = std::min(past.known + 1, columns_);
    past.equal_steps = from.memory_step == h ? past.equal_steps + 1 : 1;
    past.order = k_;
    to.memory_step = h;
  }

  // Estimates: of orders to k from the difference of the predicted slope, of order k + 1 from the corrected one.
  AdamsErrors measure(const T& h, const AdamsPast<T>& past) {
    using std::abs;
    const auto& g = weights_.g;
    const auto size = [&](int j, const auto& x) {
      return static_cast<double>(T(abs(T(h * (g[index(j)] - g[index(j - 1)]))) * error_norm_(x)));
    };
    AdamsErrors errors;
    errors.order = k_;
    errors.now = size(k_, difference_);
    slope_ = difference_;
    for (int j = k_ - 1; j >= std::max(1, k_ - 2); --j) {
      slope_ += stars_.col(j);
      (j == k_ - 1 ? errors.one_less : errors.two_less) = size(j, slope_);
    }
    if (past.equal_steps > k_) errors.one_more = size(k_ + 1, past.phi.col(k_ + 1));
    return errors;
  }

  System<T>& system_;
  int highest_, columns_;
  Index N_;
  bool controlled_ = false;
  ErrorNorm<T> error_norm_;
  std::unique_ptr<Stepper<T>> start_;
  AdamsWeights<T> weights_;
  int k_ = 1;                                             // of the last step; 0: it was made by the start
  Matrix<T> stars_;                                       // (N, columns) phi*_j
  Vector<T> predicted_, slope_, increment_, difference_;  // (N) difference: phi*_k of the predicted slope
};

}  // namespace

const AdamsFormulas& VariableAdamsMethod::formulas() const {
  return formulas_.get([this] {
    return AdamsFormulas{adams_bashforth(settings_.k), adams_moulton(settings_.k + 1), settings_.start};
  });
}
MethodForm VariableAdamsMethod::form() const { return adams_form(formulas()); }
std::vector<Method::Coefficient> VariableAdamsMethod::coefficients() const { return adams_coefficients(formulas()); }
PredictedOrders VariableAdamsMethod::predicted_orders(const FormulationTraits& formulation,
                                                      const FormOrders& orders) const {
  return adams_orders(formulation, orders);
}
DenseOrder VariableAdamsMethod::dense_order() const {
  const int order = settings_.k + 1;
  return {order, order, order, "the integral of the polynomial through the past slopes that a step is made of"};
}

#define DAELAB_INSTANTIATE(T)                                                                               \
  std::unique_ptr<Stepper<T>> VariableAdamsMethod::stepper(System<T>& system, const NewtonOptions&) const { \
    return std::make_unique<VariableAdams<T>>(settings_, system);                                           \
  }
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
