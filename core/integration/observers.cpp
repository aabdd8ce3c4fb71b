#include "core/integration/observers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <iterator>

#include "core/mechanism/group_charts.hpp"
#include "core/mechanism/ordinary_model.hpp"

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
  for (Vector<T>* x : {&q_, &v_, &a_}) x->setZero(layout_.n);
  for (Vector<T>& level : levels_) level.setZero(layout_.m);
}

template <class T>
Invariants<T> InvariantMeter<T>::measure(const State<T>& state) {
  using std::abs;
  q_ = layout_.q(state.y), v_ = layout_.v(state.y), a_ = layout_.accelerations_of(state);
  const Energy<T> energy = model_.invariants(state.t, q_, v_, a_, levels_);
  std::array<T, 3> largest{};
  for (std::size_t level = 0; level < levels_.size(); ++level)
    for (const T& r : levels_[level]) keep_largest(largest[level], T(abs(r)));
  return {energy, largest[0], largest[1], largest[2]};
}

template <class T>
DriftObserver<T>::DriftObserver(Model<T>& model, Index accelerations) {
  if (MechanicalModel<T>* const mechanism = model.mechanical()) meter_.emplace(*mechanism, accelerations);
}

template <class T>
void DriftObserver<T>::start(const State<T>& state) {
  if (!meter_) return;
  const Invariants<T> now = meter_->measure(state);
  start_energy_ = now.energy.total();
  record(now);
}

template <class T>
void DriftObserver<T>::step(const State<T>& /*from*/, const State<T>& to) {
  if (meter_) record(meter_->measure(to));
}

template <class T>
void DriftObserver<T>::record(const Invariants<T>& now) {
  using std::abs;
  keep_largest(energy_error, T(abs(now.energy.total() - start_energy_)));
  keep_largest(position, now.position);
  keep_largest(velocity, now.velocity);
  keep_largest(acceleration, now.acceleration);
}

namespace {

template <class T>
void to_first_chart(MechanicalModel<T>& charted, Vector<T>& q, Vector<T>& v, Vector<T>& a) {
  const Vector<T> zero = Vector<T>::Zero(q.size());
  if (charted.charts() > 1) charted.to_chart(0, zero, q, v, a);
  to_reported(charted.groups(), charted.held(), zero, q, v, a);
}

}  // namespace

template <class T>
void to_first_chart(Model<T>& model, const System<T>& system, State<T>& state) {
  MechanicalModel<T>* const charted = model.charted();
  if (charted == nullptr) return;
  const MechanicalLayout layout = layout_of(model, system.accelerations());
  Vector<T> q = layout.q(state.y), v = layout.v(state.y), a = layout.accelerations_of(state);
  to_first_chart(*charted, q, v, a);
  state.y.head(layout.n) = q;
  state.y.segment(layout.n, layout.n) = v;
  if (layout.accelerations > 0)
    state.y.segment(layout.accelerations, layout.n) = a;
  else
    state.ydot.segment(layout.n, layout.n) = a;
}

template <class T>
std::vector<std::string> trajectory_columns(Model<T>& model) {
  std::vector<std::string> names{"t"};
  const auto add = [&](const char* kind, Index count) {
    for (Index i = 1; i <= count; ++i) names.push_back(fmt::format("{}{}", kind, i));
  };
  MechanicalModel<T>* const mechanism = model.mechanical();
  if (mechanism != nullptr) {
    for (const char* kind : {"q", "v", "a"}) add(kind, mechanism->coordinates() - mechanism->integrated_states());
    add("y", mechanism->integrated_states());
    add("lambda", mechanism->multipliers());
  } else {
    add("y", model.ordinary()->states());
  }
  for (const std::string& name : model.observable_names()) names.push_back(name);
  if (mechanism == nullptr) return names;
  for (const char* name : {"kinetic_energy", "potential_energy", "total_energy", "energy_error", "position_constraint",
                           "velocity_constraint", "acceleration_constraint"})
    names.push_back(name);
  return names;
}

template <class T>
TrajectoryRecorder<T>::TrajectoryRecorder(Model<T>& model, int every, Index accelerations)
    : model_(model), layout_(layout_of(model, accelerations)), every_(every) {
  if (MechanicalModel<T>* const mechanism = model.mechanical()) meter_.emplace(*mechanism, accelerations);
  observables_.setZero(static_cast<Index>(model.observable_names().size()));
  text_ = fmt::format("{}\n", fmt::join(trajectory_columns(model), ","));
}

template <class T>
void TrajectoryRecorder<T>::step(const State<T>& /*from*/, const State<T>& to) {
  last_is_recorded_ = ++step_ % every_ == 0;
  if (last_is_recorded_)
    record(to);
  else
    last_ = to, last_coordinates_ = CoordinatesInUse<T>(model_);
}

template <class T>
std::string TrajectoryRecorder<T>::csv() {
  if (last_is_recorded_) return text_;
  const CoordinatesInUse<T> present(model_);
  last_coordinates_.put_into(model_);
  record(last_);
  present.put_into(model_);
  last_is_recorded_ = true;
  return text_;
}

// The sum with 0 turns -0 into 0.
template <class T>
void TrajectoryRecorder<T>::put(const auto& numbers) {
  for (Index i = 0; i < numbers.size(); ++i)
    fmt::format_to(std::back_inserter(text_), ",{:.17g}", static_cast<double>(numbers[i]) + 0.0);
}

template <class T>
void TrajectoryRecorder<T>::record(const State<T>& state) {
  fmt::format_to(std::back_inserter(text_), "{:.17g}", static_cast<double>(state.t));
  model_.observables(state.t, state.y, observables_);
  if (meter_)
    record_mechanism(state);
  else
    put(state.y), put(observables_);
  text_ += '\n';
}

template <class T>
void TrajectoryRecorder<T>::record_mechanism(const State<T>& state) {
  const Invariants<T> now = meter_->measure(state);
  if (!started_) start_energy_ = now.energy.total();
  started_ = true;
  Vector<T> q = layout_.q(state.y), v = layout_.v(state.y), a = layout_.accelerations_of(state);
  if (MechanicalModel<T>* const charted = model_.charted()) to_first_chart(*charted, q, v, a);
  const Index states = model_.mechanical()->integrated_states(), n = layout_.n - states;
  put(q.head(n)), put(v.head(n)), put(a.head(n)), put(v.tail(states));
  put(layout_.lambda(state.y)), put(observables_);
  put(Vector<T>{{now.energy.kinetic, now.energy.potential, now.energy.total(), T(now.energy.total() - start_energy_),
                 now.position, now.velocity, now.acceleration}});
}

template <class T>
Sampler<T>::Sampler(Model<T>& model, System<T>& system, std::vector<T> times, Stepper<T>* stepper,
                    std::function<void(const State<T>&)> take, Chart chart)
    : model_(model),
      system_(system),
      dense_output_(model, system, stepper),
      times_(std::move(times)),
      take_(std::move(take)),
      chart_(chart) {}

template <class T>
void Sampler<T>::start(const State<T>& state) {
  for (; next_ < times_.size() && times_[next_] <= state.t; ++next_) pass_on(state);
}

template <class T>
void Sampler<T>::step(const State<T>& from, const State<T>& to) {
  while (next_ < times_.size() && times_[next_] <= to.t) interpolate(from, to, times_[next_++]);
}

template <class T>
void Sampler<T>::interpolate(const State<T>& from, const State<T>& to, const T& t) {
  sample_ = from;
  sample_.t = t;
  dense_output_(from, to, t, sample_.y);
  system_.consistent_derivatives(t, sample_.y, sample_.ydot);
  if (chart_ == Chart::first) to_first_chart(model_, system_, sample_);
  pass_on(sample_);
}

template <class T>
void Sampler<T>::pass_on(const State<T>& sample) {
  if (take_)
    take_(sample);
  else
    samples_.push_back(sample);
}

template <class T>
void StepHistory<T>::attempt(const StepAttempt<T>& attempt) {
  using Kind = StepOutcome::Kind;
  const bool judged = attempt.status.ok();
  const bool again = !rows_.empty() && rows_.back().t == static_cast<double>(attempt.t);
  if (again && rows_.back().outcome.accepted()) rows_.back().outcome = {Kind::cut};
  rows_.push_back({static_cast<double>(attempt.t), static_cast<double>(attempt.h),
                   judged ? static_cast<double>(attempt.decision.error) : std::numeric_limits<double>::quiet_NaN(),
                   attempt.decision.order, judged ? attempt.decision.smoothness : -1,
                   !judged                     ? StepOutcome{Kind::failed, attempt.status.code}
                   : attempt.decision.accepted ? StepOutcome{Kind::accepted}
                                               : StepOutcome{Kind::error},
                   attempt.statistics});
}

#define DAELAB_INSTANTIATE(T)                                              \
  template void to_first_chart<T>(Model<T>&, const System<T>&, State<T>&); \
  template std::vector<std::string> trajectory_columns<T>(Model<T>&);      \
  template class InvariantMeter<T>;                                        \
  template class DriftObserver<T>;                                         \
  template class TrajectoryRecorder<T>;                                    \
  template class Sampler<T>;                                               \
  template class StepHistory<T>;
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
