#include "core/integration/invariant_watch.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "core/mechanism/forms.hpp"
#include "core/mechanism/measured_invariants.hpp"

namespace daelab {
namespace {

constexpr std::size_t measure_count = measured_invariants.size();

std::size_t place_of(const std::vector<std::string>& names, const std::string& name) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) throw std::logic_error("no invariant " + name);
  return static_cast<std::size_t>(found - names.begin());
}

}  // namespace

template <class T>
std::vector<std::string> known_invariants(Model<T>& model) {
  std::vector<std::string> names;
  if (MechanicalModel<T>* const mechanism = model.mechanical()) {
    if (mechanism->has_energy()) names.emplace_back(measured_invariants.front());
    if (mechanism->constraints() > 0)
      names.insert(names.end(), measured_invariants.begin() + 1, measured_invariants.end());
  }
  const std::vector<std::string>& declared = model.forms().recording().invariant_names;
  names.insert(names.end(), declared.begin(), declared.end());
  return names;
}

template <class T>
InvariantWatch<T>::InvariantWatch(Model<T>& model, const std::vector<std::string>& names, Index accelerations)
    : model_(model) {
  if (MechanicalModel<T>* const mechanism = model.mechanical()) meter_.emplace(*mechanism, accelerations);
  std::vector<std::string> all(measured_invariants.begin(), measured_invariants.end());
  const std::vector<std::string> observables = model.observable_names();
  all.insert(all.end(), observables.begin(), observables.end());
  observables_.setZero(static_cast<Index>(observables.size()));
  for (const std::string& name : names) places_.push_back(place_of(all, name)), errors_.emplace_back(name);
  start_.assign(places_.size(), T(0));
}

template <class T>
void InvariantWatch<T>::start(const State<T>& state) {
  evaluate(state);
  for (std::size_t i = 0; i < places_.size(); ++i)
    if (places_[i] == 0 || places_[i] >= measure_count) start_[i] = measured(places_[i]).value;
}

template <class T>
void InvariantWatch<T>::step(const State<T>& /*from*/, const State<T>& to) {
  evaluate(to);
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const Measured now = measured(places_[i]);
    errors_[i].add(static_cast<double>(to.t), static_cast<double>(T(now.value - start_[i])),
                   static_cast<double>(now.size));
  }
}

template <class T>
void InvariantWatch<T>::evaluate(const State<T>& state) {
  if (meter_) now_ = meter_->measure(state);
  if (observables_.size() > 0) model_.observables(state.t, state.y, observables_);
}

template <class T>
typename InvariantWatch<T>::Measured InvariantWatch<T>::measured(std::size_t place) const {
  using std::abs;
  if (place >= measure_count) {
    const T value = observables_[static_cast<Index>(place - measure_count)];
    return {value, T(abs(value))};
  }
  if (place == 0) return {now_.energy.total(), T(abs(now_.energy.kinetic) + abs(now_.energy.potential))};
  const std::array<T, 3> levels{now_.position, now_.velocity, now_.acceleration};
  return {levels[place - 1], T(1)};
}

#define DAELAB_INSTANTIATE(T)                                       \
  template std::vector<std::string> known_invariants<T>(Model<T>&); \
  template class InvariantWatch<T>;
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
