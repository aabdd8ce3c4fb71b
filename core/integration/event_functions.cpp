#include "core/integration/event_functions.hpp"

#include <fmt/format.h>

#include <limits>

namespace daelab {

template <class T>
EventFunctions<T>::EventFunctions(Model<T>& model, System<T>& system)
    : model_(model), system_(system), dense_output_(model, system, nullptr) {  // not that of BDF: it leaves a state
                                                                               // that jumped by the old slope
  y_.setZero(system.size()), ydot_.setZero(system.size());
  moved_.setZero(static_cast<Index>(model.events().size()));
}

template <class T>
void EventFunctions<T>::at(const T& t, const Vector<T>& y, Vector<T>& g) {
  t_ = t, y_ = y;
  evaluate(g);
}

// Algebraic components are where a solution is sought from.
template <class T>
void EventFunctions<T>::within(const State<T>& from, const State<T>& to, const T& t, Vector<T>& g) {
  if (t == from.t) return at(t, from.y, g);
  if (t == to.t) return at(t, to.y, g);
  t_ = t, y_ = from.y + (t - from.t) / (to.t - from.t) * (to.y - from.y);
  dense_output_(from, to, t, y_);
  evaluate(g);
}

template <class T>
void EventFunctions<T>::evaluate(Vector<T>& g) {
  if (model_.events_hold_multipliers()) {
    const Status solved = system_.consistent_derivatives(t_, y_, ydot_);
    if (!solved.ok() && status_.ok())
      status_ = {solved.code, fmt::format("what the functions of events hold at t = {:.10g}: {}",
                                          static_cast<double>(t_), solved.cause)};
    if (!solved.ok()) return;
  }
  g.setZero();
  model_.event_functions(t_, y_, g);
}

// The smaller change of both directions: a condition may change at the state itself.
template <class T>
T EventFunctions<T>::sensitivity(Index event, const T& g) {
  using std::abs, std::sqrt;
  const T part = sqrt(epsilon<T>());
  T sum(0);
  const auto add_change = [&](T& x) {
    const T kept = x;
    T least(std::numeric_limits<double>::infinity());
    for (const T& change : {part, T(-part)}) {
      x = kept + change * kept;
      moved_.setZero();
      model_.event_functions(t_, y_, moved_);
      least = std::min(least, T(abs(moved_[event] - g)));
    }
    x = kept;
    if (least <= std::numeric_limits<T>::max()) sum += least;
  };
  add_change(t_);
  for (T& x : y_) add_change(x);
  return sum / part;
}

#define DAELAB_INSTANTIATE(T) template class EventFunctions<T>;
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
