// A run with fixed steps, from node to node of its grid: integrate() does it at once, other callers in turns with
// others.
#pragma once

#include <optional>
#include <vector>

#include "core/base/context.hpp"
#include "core/integration/passage.hpp"
#include "core/integration/step_plan.hpp"

namespace daelab {

/// What integrate() with FixedSteps does, in parts. Refers to what it is given.
template <class T>
class FixedStepsRun {
 public:
  FixedStepsRun(Stepper<T>& stepper, State<T>& state, const T& t_end, const FixedSteps<T>& steps,
                const std::vector<Observer<T>*>& observers, Interruptions<T>& interruptions);

  /// First.
  Status begin();
  /// At t_end, or at an event.
  bool ended() const { return k_ > plan_.steps || passage_.stopped(); }
  /// To the next node, unless an event ends the run before. After a status other than ok nothing more.
  Status advance();
  /// The size of the step that advance() begins with, from the state as it is; none where that hangs on more than the
  /// grid.
  std::optional<T> next_size() const;

 private:
  bool shortened() const { return k_ == plan_.steps && plan_.shortened; }
  T next_node() const { return k_ == plan_.steps ? t_end_ : T(t0_ + steps_.end(k_)); }
  Status step(const T& h, const T& end);

  Passage<T> passage_;
  FixedSteps<T> steps_;
  T t0_, t_end_;
  StepPlan plan_;
  long k_ = 1;  // of the next step
  T node_;      // reached last
  const Interrupt& interrupt_ = Context::current().interrupt;
};

}  // namespace daelab
