// What a step starts from and what it leaves: values, the past that a method needs, and what step control has learned.
#pragma once

#include "core/base/scalar.hpp"
#include "core/integration/stepper_memory.hpp"

namespace daelab {

/// What step control has learned, from attempts that were dropped too. Survives events.
template <class T>
struct ControlMemory {
  struct Pace {
    T from{0}, h{0};
    int order = 0;  // 0: there is none
  };
  double error = 0;  // of the last step that passed, in tolerances; 0: none has
  int order = 0;     // of the next attempt at the step ahead; 0: the method's own choice
  Pace pace;         // of the last step that passed at once and that no event cut short
};

/// Everything a step needs from the past, by value, so a copy is a checkpoint.
template <class T>
struct State {
  T t{0};
  Vector<T> y;             // (N)
  Vector<T> ydot;          // (N); entries of algebraic components stay 0
  Vector<T> compensation;  // (N) what y lost to rounding so far (compensated summation)
  HeldMemory memory;       // private to the method: stages of the last step, past values, ...
  T memory_step{0};        // step size that `memory` belongs to; 0 = no past (kept values may still be set)
  ControlMemory<T> control;

  /// What was before is of no use to the next step: the motion is another one from here on.
  void forget() {
    memory_step = T(0);
    compensation.setZero();
  }
};

/// y := y_n + increment in the first `count` components, with what that loses to rounding; the increment contains
/// from.compensation.
template <class T>
void add_increment(const State<T>& from, const Vector<T>& increment, Index count, State<T>& to) {
  to.y.head(count) = from.y.head(count) + increment.head(count);
  to.compensation.head(count) = increment.head(count) - (to.y.head(count) - from.y.head(count));
}

}  // namespace daelab
