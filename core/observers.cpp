#include "core/observers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <iterator>

namespace daelab {
namespace {

template <class T>
void keep_largest(T& largest, const T& value) {
  if (value > largest || value != value) largest = value;  // NaN, once there, stays
}

}  // namespace

template <class T>
InvariantMeter<T>::InvariantMeter(MechanicalModel<T>& model, Index accelerations)
    : model_(model), layout_{model.coordinates(), model.constraints(), accelerations} {
  q_.setZero(layout_.n), v_.setZero(layout_.n), a_.setZero(layout_.n), row_.setZero(layout_.m);
}

template <class T>
T InvariantMeter<T>::level(Level level, const T& t) {
  using std::abs;
  model_.constraint_level(level, t, q_, v_, a_, row_);
  T largest(0);
  for (const T& r : row_) keep_largest(largest, T(abs(r)));
  return largest;
}

template <class T>
Invariants<T> InvariantMeter<T>::measure(const State<T>& state) {
  q_ = layout_.q(state.y), v_ = layout_.v(state.y), a_ = layout_.accelerations_of(state);
  return {model_.energy(state.t, q_, v_), level(Level::position, state.t),
          level(Level::velocity, state.t), level(Level::acceleration, state.t)};
}

template <class T>
void DriftObserver<T>::start(const State<T>& state) {
  const Invariants<T> now = meter_.measure(state);
  start_energy_ = now.energy.total();
  record(now);
}

template <class T>
void DriftObserver<T>::step(const State<T>& /*from*/, const State<T>& to) {
  record(meter_.measure(to));
}

template <class T>
void DriftObserver<T>::record(const Invariants<T>& now) {
  using std::abs;
  keep_largest(energy_error, T(abs(now.energy.total() - start_energy_)));
  keep_largest(position, now.position);
  keep_largest(velocity, now.velocity);
  keep_largest(acceleration, now.acceleration);
}

template <class T>
std::vector<std::string> trajectory_columns(const MechanicalModel<T>& model) {
  std::vector<std::string> names{"t"};
  if (model.coordinates() == 0) {
    for (Index i = 1; i <= model.states(); ++i) names.push_back(fmt::format("y{}", i));
    return names;
  }
  for (const char* kind : {"q", "v", "a"})
    for (Index i = 1; i <= model.coordinates(); ++i) names.push_back(fmt::format("{}{}", kind, i));
  for (Index i = 1; i <= model.constraints(); ++i) names.push_back(fmt::format("lambda{}", i));
  for (const std::string& name : model.observable_names()) names.push_back(name);
  for (const char* name : {"kinetic_energy", "potential_energy", "total_energy", "energy_error", "position_constraint",
                           "velocity_constraint", "acceleration_constraint"})
    names.push_back(name);
  return names;
}

template <class T>
TrajectoryRecorder<T>::TrajectoryRecorder(MechanicalModel<T>& model, int every, Index accelerations)
    : model_(model),
      meter_(model, accelerations),
      layout_{model.coordinates(), model.constraints(), accelerations},
      every_(every) {
  q_.setZero(layout_.n), v_.setZero(layout_.n);
  observables_.setZero(static_cast<Index>(model.observable_names().size()));
  text_ = fmt::format("{}\n", fmt::join(trajectory_columns(model), ","));
}

template <class T>
void TrajectoryRecorder<T>::step(const State<T>& /*from*/, const State<T>& to) {
  last_is_recorded_ = ++step_ % every_ == 0;
  if (last_is_recorded_)
    record(to);
  else
    last_ = to;
}

template <class T>
std::string TrajectoryRecorder<T>::csv() {
  if (!last_is_recorded_) record(last_);
  last_is_recorded_ = true;
  return text_;
}

template <class T>
void TrajectoryRecorder<T>::put(const auto& numbers) {
  for (Index i = 0; i < numbers.size(); ++i)
    fmt::format_to(std::back_inserter(text_), ",{:.17g}", static_cast<double>(numbers[i]));
}

template <class T>
void TrajectoryRecorder<T>::record(const State<T>& state) {
  fmt::format_to(std::back_inserter(text_), "{:.17g}", static_cast<double>(state.t));
  if (layout_.n == 0)
    put(state.y);
  else
    record_mechanism(state);
  text_ += '\n';
}

template <class T>
void TrajectoryRecorder<T>::record_mechanism(const State<T>& state) {
  q_ = layout_.q(state.y), v_ = layout_.v(state.y);
  const Invariants<T> now = meter_.measure(state);
  if (!started_) start_energy_ = now.energy.total();
  started_ = true;
  model_.observables(state.t, q_, v_, observables_);
  put(q_), put(v_), put(layout_.accelerations_of(state)), put(layout_.lambda(state.y)), put(observables_);
  put(Vector<T>{{now.energy.kinetic, now.energy.potential, now.energy.total(),
                 T(now.energy.total() - start_energy_), now.position, now.velocity, now.acceleration}});
}

template <class T>
Sampler<T>::Sampler(MechanicalModel<T>& model, System<T>& system, std::vector<T> times, Stepper<T>* stepper)
    : system_(system),
      stepper_(stepper),
      layout_{model.coordinates(), model.constraints(), system.accelerations()},
      times_(std::move(times)) {}

template <class T>
void Sampler<T>::start(const State<T>& state) {
  while (next_ < times_.size() && times_[next_] <= state.t) {
    samples_.push_back(state);
    ++next_;
  }
}

template <class T>
void Sampler<T>::step(const State<T>& from, const State<T>& to) {
  while (next_ < times_.size() && times_[next_] <= to.t) interpolate(from, to, times_[next_++]);
}

template <class T>
void Sampler<T>::interpolate(const State<T>& from, const State<T>& to, const T& t) {
  State<T> sample = from;
  sample.t = t;
  if (!stepper_ || !stepper_->interpolate(from, to, t, sample.y)) {
    if (layout_.n == 0)
      cubic(from, to, t, sample.y);
    else
      quintic(from, to, t, sample.y);
  }
  system_.complete(t, sample.y, sample.ydot);
  samples_.push_back(std::move(sample));
}

template <class T>
void Sampler<T>::cubic(const State<T>& from, const State<T>& to, const T& t, Vector<T>& y) const {
  const T h = to.t - from.t, x = (t - from.t) / h, z = T(1) - x;
  for (Index i = 0; i < system_.differential(); ++i) {
    const T rise = to.y[i] - from.y[i];
    y[i] = from.y[i] + x * rise + x * z * (z * (h * from.ydot[i] - rise) - x * (h * to.ydot[i] - rise));
  }
}

template <class T>
void Sampler<T>::quintic(const State<T>& from, const State<T>& to, const T& t, Vector<T>& y) const {
  const Index n = layout_.n;
  const T h = to.t - from.t, x = (t - from.t) / h;
  const auto a_from = layout_.accelerations_of(from), a_to = layout_.accelerations_of(to);
  for (Index i = 0; i < n; ++i) {
    // q(x) = q0 + x h v0 + x^2 h^2 a0/2 + x^3 (c0 + (x - 1) (c1 + (x - 1) c2)), from the values at x = 1
    const T q0 = from.y[i], v0 = h * from.y[n + i], a0 = h * h * a_from[i];
    const T p = to.y[i] - q0 - v0 - a0 / 2;
    const T dp = h * to.y[n + i] - v0 - a0, ddp = h * h * a_to[i] - a0;
    const T c0 = p, c1 = dp - 3 * c0, c2 = (ddp - 6 * c0 - 6 * c1) / 2;
    const T z = x - 1, g = c0 + z * (c1 + z * c2), dg = c1 + 2 * z * c2;
    y[i] = q0 + x * (v0 + x * (a0 / 2 + x * g));
    y[n + i] = (v0 + x * (a0 + x * (3 * g + x * dg))) / h;
  }
}

template <class T>
void StepHistory<T>::attempt(const StepAttempt<T>& attempt) {
  const bool judged = attempt.status.ok();
  rows_.push_back({static_cast<double>(attempt.t), static_cast<double>(attempt.h),
                   judged ? static_cast<double>(attempt.verdict.error) : std::numeric_limits<double>::quiet_NaN(),
                   attempt.verdict.order,
                   !judged                      ? to_string(attempt.status.code)
                   : attempt.verdict.accepted   ? "accepted"
                                                : "error",
                   attempt.statistics});
}

#define DAELAB_INSTANTIATE(T)          \
  template std::vector<std::string> trajectory_columns<T>(const MechanicalModel<T>&); \
  template class InvariantMeter<T>;    \
  template class DriftObserver<T>;     \
  template class TrajectoryRecorder<T>; \
  template class Sampler<T>;           \
  template class StepHistory<T>;
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
