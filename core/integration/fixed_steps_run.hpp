// A run with fixed steps, from node to node of its grid: what integrate() with FixedSteps does.
#pragma once

#include <vector>

#include "core/base/context.hpp"
#include "core/integration/passage.hpp"
#include "core/integration/step_plan.hpp"

namespace daelab {

/// Refers to what it is given.
template <class T>
class FixedStepsRun {
 public:
  FixedStepsRun(Stepper<T>& stepper, State<T>& state, const T& t_end, const FixedSteps<T>& steps,
                const std::vector<Observer<T>*>& observers, Interruptions<T>& interruptions);

  /// To t_end, or to the event that ends the run. Called once.
  Status carry_out();

 private:
  Status begin();
  bool ended() const { return k_ > plan_.steps || passage_.stopped(); }
  Status advance();
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
