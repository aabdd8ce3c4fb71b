// What follows from an event: the consequences of all that take place together, and samplings.
#include <cmath>

#include "core/integration/chart_switch.hpp"
#include "core/integration/event_failures.hpp"
#include "core/integration/event_watch.hpp"
#include "core/mechanism/group_charts.hpp"

namespace daelab {

template <class T>
Index EventWatch<T>::next_due() const {
  for (std::size_t i = 0; i < watched_.size(); ++i)
    if (watched_[i].due) return static_cast<Index>(i);
  return -1;
}

template <class T>
typename EventWatch<T>::Sequel EventWatch<T>::carry_out(const Occurrence<T>& event, State<T>& state) {
  evaluate(state.t, state.y);
  for (Index i = 0; i < g_.size(); ++i) {
    watched(i).due = watched(i).due || i == event.event || crossed(i, sign(i, g_[i]));
    if (!watched(i).due) adopt_sign(i, g_[i]);
  }
  Sequel all;
  for (Index next = event.event; next >= 0; next = next_due()) {
    const Sequel sequel = take_place(next, state);
    if (!sequel.status.ok()) return sequel;
    all.stop |= sequel.stop, all.restart |= sequel.restart;
  }
  all.status = status();
  return all;
}

// What another event has made of a function.
template <class T>
void EventWatch<T>::take_over(Index event, const State<T>& state) {
  using std::abs;
  constexpr double near_zero = 1e-6;
  const T& g = g_[event];
  const bool may_be_zero = g != before_[event] && abs(g) <= T(near_zero) * range(event);
  if (!may_be_zero || !settle(event, state)) adopt_sign(event, g);
}

template <class T>
typename EventWatch<T>::Sequel EventWatch<T>::consequence(Index number, State<T>& state) {
  const Event& event = tally(number).event;
  if (event.consequence == Consequence::observe) return {};
  if (event.consequence == Consequence::stop) return {{}, true};
  if (event.consequence == Consequence::chart) {
    MechanicalModel<T>& charted = *model_.charted();
    return changed_coordinates(switch_chart(charted, charted.chart_after(number), layout_, stepper_, state), state);
  }
  y_ = functions_.y();
  model_.carry_out(number, state.t, y_);
  if (Status status = check_jump(model_, event, state, y_); !status.ok()) return {status};
  state.y = y_;
  return {forget(state), false, true};
}

// kept: the stepper's past, too.
template <class T>
typename EventWatch<T>::Sequel EventWatch<T>::changed_coordinates(bool kept, State<T>& state) {
  if (!kept) return {forget(state), false, true};
  return {system_.consistent_derivatives(state.t, state.y, state.ydot)};
}

// On index 3 accelerations and multipliers are what the method has made of them, and its next step begins with them:
// consistent ones would make the numbers of a run hang on when its bases move.
template <class T>
typename EventWatch<T>::Sequel EventWatch<T>::follow_bases(State<T>& state) {
  MechanicalModel<T>* const charted = model_.charted();
  if (charted == nullptr || !are_far(charted->groups(), state.y)) return {};
  const bool kept = move_bases(*charted, layout_, stepper_, state);
  if (kept && system_.index() == 3 && layout_.accelerations == 0) return {};
  return changed_coordinates(kept, state);
}

template <class T>
typename EventWatch<T>::Sequel EventWatch<T>::sample(State<T>& state) {
  using std::abs;
  using std::round;
  if (period_ == T(0) || state.t == sampled_) return {};
  if (abs(T(state.t - round(T(state.t / period_)) * period_)) > resolution(state.t)) return {};
  model_.sample(state.t, state.y);
  ++samplings_, sampled_ = state.t;
  return {forget(state), false, true};
}

#define DAELAB_INSTANTIATE(T)                                                                        \
  template typename EventWatch<T>::Sequel EventWatch<T>::carry_out(const Occurrence<T>&, State<T>&); \
  template void EventWatch<T>::take_over(Index, const State<T>&);                                    \
  template typename EventWatch<T>::Sequel EventWatch<T>::consequence(Index, State<T>&);              \
  template typename EventWatch<T>::Sequel EventWatch<T>::changed_coordinates(bool, State<T>&);       \
  template typename EventWatch<T>::Sequel EventWatch<T>::follow_bases(State<T>&);                    \
  template typename EventWatch<T>::Sequel EventWatch<T>::sample(State<T>&);
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
