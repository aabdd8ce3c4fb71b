// What explicit methods with a long real stability interval share: as many stages in a step as the spectral radius asks
// for.
//
// [SSV98] Sommeijer, Shampine, Verwer, RKC: an explicit solver for parabolic PDEs, J. Comput. Appl. Math. 88, 1998,
// 315-326.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/base/options.hpp"
#include "core/integration/explicit_stepper.hpp"
#include "core/integration/pi_controller.hpp"
#include "core/integration/spectral_radius.hpp"

namespace daelab {

struct StabilizedSettings {
  std::optional<int> stages;             // s; none: in each step the least that are stable
  std::optional<Exact> spectral_radius;  // rho of f_y; none: estimated every 25 steps and after a rejected one
  int max_stages = 0;                    // a step that needs more ends with step_limit

  std::vector<Option> options(int least, int most, int most_automatic) {
    return {option("stages", stages, "s, the same in every step; null: as many as the spectral radius asks for",
                   between(least, most)),
            option("spectral_radius", spectral_radius,
                   "spectral radius of f_y [1/s], a bound for the whole run; null: estimated by a power iteration",
                   positive()),
            option("max_stages", max_stages, "a step that needs more fails, and is made smaller under error control",
                   between(least, most_automatic))};
  }
};

/// The last estimate of the spectral radius.
template <class T>
struct RadiusMemory {
  Vector<T> direction;  // (N), 0 before the first
  T radius{0};
  int steps_left = 0;  // that it is still good for
  bool operator==(const RadiusMemory&) const = default;
  void keep(const RadiusMemory& attempt) { *this = attempt; }
};

template <class T>
class StabilizedStepper : public TypedStepper<T, RadiusMemory<T>, ExplicitStepper<T>> {
 public:
  HeldMemory make_memory() const override {
    return estimates_radius() ? HeldMemory::of(RadiusMemory<T>{Vector<T>::Zero(error_.size())}) : HeldMemory();
  }
  // An estimate of old coordinates serves as long as one of an old state.
  bool change_coordinates(State<T>& /*state*/, CoordinateChange<T>& /*change*/) override { return true; }

  void control(const Tolerances<T>& tolerances) override { error_norm_ = ErrorNorm<T>(tolerances, system_); }
  T first_step(const State<T>& start, const T& length) const override {
    return starting_step(system_, error_norm_, start, length, exponent_);
  }
  StepDecision<T> judge(const State<T>& from, const T& h, State<T>& to, int failures) override {
    estimate(from, h, to, error_);
    error_norm_.weigh(from.y);
    StepDecision<T> decision = controller_.judge(error_norm_(error_), h, failures, from.control, to.control);
    if (!decision.accepted && estimates_radius()) this->past(to).steps_left = 0;
    decision.h = std::min(decision.h, longest_step(to));
    return decision;
  }
  Retry<T> retry(const State<T>& from, const T& h, int /*failures*/) const override {
    return {std::min(T(h / T(4)), longest_step(from))};
  }

 protected:
  /// `exponent`: of h in the estimate; `order`: of the formula.
  StabilizedStepper(const StabilizedSettings& settings, System<T>& system, int exponent, int order)
      : TypedStepper<T, RadiusMemory<T>, ExplicitStepper<T>>(system, order),
        settings_(settings),
        system_(system),
        radius_(system),
        given_radius_(settings.spectral_radius ? settings.spectral_radius->as<T>() : T(0)),
        direction_(radius_.first_direction()),
        exponent_(exponent),
        order_(order),
        controller_(exponent, order),
        error_(Vector<T>::Zero(system.size())) {}

  /// The number of stages that is stable for h rho = length; and such a length for a number of stages.
  virtual double stages_for(double length) const = 0;
  virtual double length_of(int stages) const = 0;
  virtual int stages() const = 0;
  virtual void set_stages(int stages) = 0;
  /// For the step just made.
  virtual void estimate(const State<T>& from, const T& h, const State<T>& to, Vector<T>& error) = 0;

  /// Call at the beginning of a step. Leaves the radius in the memory of its end.
  Status choose_stages(const State<T>& from, const T& h, State<T>& to) {
    if (settings_.stages) return {};
    if (const Status status = update_radius(from, to); !status.ok()) return status;
    const double length = static_cast<double>(T(h * radius(to))), needed = stages_for(length);
    if (!(needed <= settings_.max_stages))
      return {StatusCode::step_limit, fmt::format("h times the spectral radius is {:.3g}, which takes {:.0f} stages; "
                                                  "max_stages = {}",
                                                  length, needed, settings_.max_stages)};
    if (needed != stages()) set_stages(static_cast<int>(needed));
    return {};
  }

  StabilizedSettings settings_;

 private:
  bool estimates_radius() const { return !settings_.stages && !settings_.spectral_radius; }
  const T& radius(const State<T>& state) const { return estimates_radius() ? this->past(state).radius : given_radius_; }

  Status update_radius(const State<T>& from, State<T>& to) {
    if (!estimates_radius()) return {};
    RadiusMemory<T>& memory = this->past(to);
    memory = this->past(from);
    if (memory.steps_left > 0) {
      --memory.steps_left;
      return {};
    }
    direction_ = memory.direction;
    if (direction_.isZero(T(0))) direction_ = radius_.first_direction();
    long evaluations = 0;
    const Status status = radius_.estimate(from, direction_, evaluations, memory.radius);
    this->count_evaluations(evaluations);
    memory.direction = direction_;
    memory.steps_left = status.ok() ? steps_between_estimates - 1 : 0;
    return status;
  }
  // That max_stages allow, short of it by 5 %, for a radius that grows from one estimate to the next.
  T longest_step(const State<T>& state) const {
    if (settings_.stages || !(radius(state) > T(0))) return std::numeric_limits<T>::max();
    return T(0.95 * length_of(settings_.max_stages)) / radius(state);
  }

  static constexpr int steps_between_estimates = 25;  // [SSV98, Sec. 3.2]
  System<T>& system_;
  SpectralRadius<T> radius_;
  T given_radius_;       // 0: none is
  Vector<T> direction_;  // (N) of the estimate at hand
  int exponent_, order_;
  PiController<T> controller_;
  ErrorNorm<T> error_norm_;
  Vector<T> error_;  // (N)
};

}  // namespace daelab
