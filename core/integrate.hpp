// The driver loop: propose, step, accept or stop, observe. One loop for every method and experiment.
#pragma once

#include <atomic>
#include <vector>

#include "core/method.hpp"

namespace daelab {

/// Sees every accepted step. Observers do not change the run.
template <class T>
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void start(const State<T>& state) = 0;
  virtual void step(const State<T>& from, const State<T>& to) = 0;
  /// With error control: every attempt, before step() reports the accepted ones.
  virtual void attempt(const StepAttempt<T>& /*attempt*/) {}
};

/// Set by the signal handler; runs stop at the next step with StatusCode::interrupted.
extern std::atomic<bool> interrupt_requested;

/// Advances `state` to t_end with steps of size h. When h divides the interval (to 1e-9 steps), step k
/// ends at exactly k h; otherwise the last step is shortened. On failure `state` is the last good one.
template <class T>
Status integrate(Stepper<T>& stepper, State<T>& state, const T& t_end, const T& h,
                 const std::vector<Observer<T>*>& observers);

/// Advances `state` to t_end with the steps a stepper under control() asks for, starting with h (0: its own choice).
/// Ends with step_too_small and the cause of the last failure when t + h cannot be told from t. On failure `state` is
/// the last good one.
template <class T>
Status integrate_adaptive(Stepper<T>& stepper, State<T>& state, const T& t_end, T h,
                          const std::vector<Observer<T>*>& observers);

}  // namespace daelab
