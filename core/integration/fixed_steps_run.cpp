#include "core/integration/fixed_steps_run.hpp"

#include <fmt/format.h>

#include "core/integration/run_ends.hpp"

namespace daelab {

template <class T>
FixedStepsRun<T>::FixedStepsRun(Stepper<T>& stepper, State<T>& state, const T& t_end, const FixedSteps<T>& steps,
                                const std::vector<Observer<T>*>& observers, Interruptions<T>& interruptions)
    : passage_(stepper, state, observers, interruptions),
      steps_(steps),
      t0_(state.t),
      t_end_(t_end),
      plan_(steps.plan(T(t_end - state.t))),
      node_(state.t) {}

template <class T>
Status FixedStepsRun<T>::carry_out() {
  Status status = begin();
  while (status.ok() && !ended()) status = advance();
  return status;
}

template <class T>
Status FixedStepsRun<T>::begin() {
  if (passage_.stepper().chooses_steps())
    return {StatusCode::not_applicable, "the code chooses the sizes of its steps: set rtol or atol instead of h"};
  const long most = passage_.interruptions().max_steps;
  if (plan_.steps > most)
    return {StatusCode::step_limit, fmt::format("h makes {} steps, more than {}", plan_.steps, count_text(most))};
  return passage_.begin();
}

// To the next node: in one step unless something is in between, of the size of the grid unless the last one is
// shortened. A sliver that an event leaves goes to the step after it: on index 3 a tiny one amplifies round-off.
template <class T>
Status FixedStepsRun<T>::advance() {
  if (const Status status = check_interrupt(interrupt_); !status.ok()) return status;
  const T node = next_node(), size = steps_.size(k_);
  const T sliver = node < t_end_ ? T(size / T(10000)) : T(0);
  const State<T>& state = passage_.state();
  while (node - state.t > sliver && !passage_.stopped()) {
    const T end = passage_.next_stop(node);
    const bool whole = state.t == node_ && end == node && !shortened();
    const T h = whole ? size : T(end - state.t);
    if (const Status status = step(h, end); !status.ok()) return at_time(passage_.explained(status, h), state.t);
  }
  node_ = node;
  ++k_;
  return {};
}

template <class T>
Status FixedStepsRun<T>::step(const T& h, const T& end) {
  if (Status status = passage_.step(h, end); !status.ok()) return status;
  const auto ending = passage_.end_at_event();
  return ending.status.ok() ? passage_.accept(ending).status : ending.status;
}

#define DAELAB_INSTANTIATE(T) template class FixedStepsRun<T>;
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
