// Explicit Runge-Kutta methods on y' = f(t, y). The slope at the step end is evaluated once and is the next first
// stage. Where the last stage is the step end itself (first same as last), it is not evaluated apart: its slope
// has no weight, b_s = a_ss = 0.
#include <algorithm>
#include <cmath>
#include <optional>

#include "core/integration/explicit_stepper.hpp"
#include "core/integration/pi_controller.hpp"
#include "methods/runge_kutta/runge_kutta.hpp"
#include "methods/runge_kutta/stage_sums.hpp"
#include "methods/runge_kutta/time_error.hpp"
#include "methods/runge_kutta/variable_order.hpp"

namespace daelab {
namespace {

template <class T>
class ExplicitRungeKutta final : public ExplicitStepper<T> {
 public:
  ExplicitRungeKutta(std::shared_ptr<const PreparedTableau> prepared, System<T>& system)
      : ExplicitStepper<T>(system, prepared->tableau().claimed_order),
        prepared_(std::move(prepared)),
        system_(system),
        stages_(tableau().stages() - (tableau().stiffly_accurate() ? 1 : 0)),
        differential_(system.differential()),
        c_(coefficients().c),
        order_(tableau().claimed_order),
        exponent_(estimate_exponent(tableau())),
        controller_(exponent_, order_),
        slopes_(static_cast<std::size_t>(stages_), Vector<T>::Zero(system.size())),
        sums_(coefficients(), addresses(slopes_)),
        y_(Vector<T>::Zero(system.size())),
        increment_(Vector<T>::Zero(system.size())),
        difference_(Vector<T>::Zero(system.size())),
        zero_(Vector<T>::Zero(system.size())) {}

  Status step(const State<T>& from, const T& h, State<T>& to) override {
    error_.reset();
    if (const Status status = make_stages(from, h); !status.ok()) return status;
    return this->finish(from, h, increment_, to);
  }

  /// Where the estimate takes no slope at the step end, that is evaluated only if the step passes.
  Status attempt(const State<T>& from, const T& h, State<T>& to) override {
    if (sums_.difference_takes_slope_at_end()) return step(from, h, to);
    if (const Status status = make_stages(from, h); !status.ok()) return status;
    error_ = estimate(from, h, nullptr);
    return *error_ > T(1) ? this->give_up(from, h, increment_, to) : this->finish(from, h, increment_, to);
  }

  void control(const Tolerances<T>& tolerances) override {
    if (exponent_ == 0)
      throw NotApplicable(
          "no error estimate: the tableau has no embedded weights, or they claim no order; use dormand-prince");
    error_norm_ = ErrorNorm<T>(tolerances, system_);
    this->watch_stiffness(prepared_->stability_limit());
    look_for_blindness();
  }

  T first_step(const State<T>& start, const T& length) const override {
    return starting_step(system_, error_norm_, start, length, exponent_);
  }

  StepDecision<T> judge(const State<T>& from, const T& h, State<T>& to, int failures) override {
    const T error = error_ ? *error_ : estimate(from, h, to.ydot.data());
    return this->watched(controller_.judge(error, h, failures, from.control, to.control), h, to);
  }

 private:
  Status make_stages(const State<T>& from, const T& h) {
    if (const Status status = this->start(from, h); !status.ok()) return status;
    slopes_[0] = from.ydot;
    sums_.scale(h);
    for (Index i = 1; i < stages_; ++i) {
      sums_.stage(i, from.y.data(), differential_, y_.data());
      y_.tail(y_.size() - differential_) = from.y.tail(y_.size() - differential_);
      if (const Status status = this->slope(from.t + c_[i] * h, y_, slopes_[static_cast<std::size_t>(i)]); !status.ok())
        return status;
    }
    sums_.end(from.compensation.data(), differential_, increment_.data());
    return {};
  }
  /// The difference to the embedded solution; a stage at the step end that was not evaluated apart has its slope.
  T estimate(const State<T>& from, const T& h, const T* slope_at_end) {
    sums_.scale(h);
    sums_.difference(slope_at_end, zero_.data(), differential_, difference_.data());
    error_norm_.weigh(from.y);
    const T seen = error_norm_(difference_);
    if (!time_error_ || !(seen <= T(1))) return seen;  // a step that is rejected anyway saves slopes in time
    const auto slope = [this](const T& t, Vector<T>& y, Vector<T>& ydot) { return this->slope(t, y, ydot); };
    const T unseen = time_error_->size(from, h, slope, error_norm_);
    return unseen <= seen ? seen : unseen;
  }
  void look_for_blindness() {
    EstimateSight sees = prepared_->sight();
    if (!sees.time) time_error_.emplace(prepared_->quadrature_error(), system_);
    if (time_error_ && !time_error_->is_known()) time_error_.reset();
    sees.time |= time_error_.has_value();
    if (sees.time && sees.linear_problems) return;
    const std::string text = blind_estimate_warning(sees, equations_depend_on_time(system_));
    if (!text.empty()) this->warn("error-estimate", text);
  }

  static std::vector<const T*> addresses(const std::vector<Vector<T>>& slopes) {
    std::vector<const T*> addresses;
    for (const Vector<T>& slope : slopes) addresses.push_back(slope.data());
    return addresses;
  }
  // Of h in the difference of both solutions; 0: no estimate.
  static int estimate_exponent(const Tableau& tableau) {
    if (tableau.b_embedded.size() == 0 || tableau.embedded_order == 0) return 0;
    if (tableau.claimed_order == 0) return tableau.embedded_order + 1;
    return std::min(tableau.claimed_order, tableau.embedded_order) + 1;
  }

  const Tableau& tableau() const { return prepared_->tableau(); }
  const RoundedTableau<T>& coefficients() const { return prepared_->template rounded<T>(); }

  std::shared_ptr<const PreparedTableau> prepared_;
  System<T>& system_;
  Index stages_;        // evaluated, the first one at the end of the step before
  Index differential_;  // components that are integrated, the first ones
  const Vector<T>& c_;
  int order_, exponent_;
  PiController<T> controller_;
  ErrorNorm<T> error_norm_;
  std::vector<Vector<T>> slopes_;  // (stages) of N
  StageSums<T> sums_;
  Vector<T> y_, increment_, difference_;
  const Vector<T> zero_;
  std::optional<TimeError<T>> time_error_;  // where the estimate vanishes on y' = f(t)
  std::optional<T> error_;                  // of the attempt that was made last; nothing after a step for itself
};

}  // namespace

template <class T>
std::unique_ptr<Stepper<T>> make_explicit_runge_kutta(std::shared_ptr<const PreparedTableau> tableau,
                                                      System<T>& system) {
  return std::make_unique<ExplicitRungeKutta<T>>(std::move(tableau), system);
}

template <class T>
void warn_of_digits(const Tableau& tableau, Stepper<T>& stepper) {
  const auto digits = std::lround(-std::log10(static_cast<double>(epsilon<T>())));
  const std::string text = coefficient_warning(tableau, static_cast<int>(digits));
  if (!text.empty()) stepper.warn("coefficient-digits", text);
}

namespace {
constexpr const char* order_changes =
    "its order changes from step to step, with error control alone: ask with the number of stages of one order";
}

MethodForm RungeKuttaMethod::form() const {
  if (changes_order()) return NoForm{order_changes};
  return tableau();
}

PredictedOrders RungeKuttaMethod::predicted_orders(const FormulationTraits& formulation,
                                                   const FormOrders& orders) const {
  if (changes_order()) return PredictedOrders::unknown(order_changes);
  if (!formulation.state_space && reaches_higher_index(tableau()))
    if (const auto known = higher_index_orders(formulation, orders)) return *known;
  return orders_of_form(tableau(), formulation, orders);
}

namespace {

template <class T>
std::unique_ptr<Stepper<T>> make_runge_kutta(const TableauFamily& family, System<T>& system,
                                             const NewtonOptions& newton) {
  if (family.tableaus.size() > 1) return make_variable_order_runge_kutta<T>(family, system, newton);
  const std::shared_ptr<const PreparedTableau>& tableau = family.tableaus.front();
  if (tableau->tableau().is_explicit()) return make_explicit_runge_kutta<T>(tableau, system);
  if (tableau->tableau().is_diagonally_implicit())
    return make_diagonally_implicit_runge_kutta<T>(tableau, system, newton);
  return make_fully_implicit_runge_kutta<T>(tableau, system, newton);
}

}  // namespace

DenseOrder RungeKuttaMethod::dense_order() const {
  return tableau().is_explicit() ? bootstrapped_order(tableau().claimed_order) : DenseOrder{};
}

#define DAELAB_INSTANTIATE(T)                                                                                   \
  template std::unique_ptr<Stepper<T>> make_explicit_runge_kutta<T>(std::shared_ptr<const PreparedTableau>,     \
                                                                    System<T>&);                                \
  template void warn_of_digits<T>(const Tableau&, Stepper<T>&);                                                 \
  std::unique_ptr<Stepper<T>> RungeKuttaMethod::stepper(System<T>& system, const NewtonOptions& newton) const { \
    auto stepper = make_runge_kutta<T>(family_, system, newton);                                                \
    for (const auto& tableau : family_.tableaus) warn_of_digits(tableau->tableau(), *stepper);                  \
    return stepper;                                                                                             \
  }
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
