// The driver loop: propose, step, accept or stop, observe. One loop for every method and experiment.
#pragma once

#include <optional>
#include <vector>

#include "core/integration/event_watch.hpp"
#include "core/integration/method.hpp"
#include "core/integration/step_plan.hpp"

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

/// Looks at every step before it is accepted, and may end the run there.
template <class T>
class Guard {
 public:
  virtual ~Guard() = default;
  virtual void start(const State<T>& state) = 0;
  /// A status other than ok drops the step and ends the run.
  virtual Status check(const State<T>& from, const State<T>& to) = 0;
  /// What a reader must know of the run so far.
  virtual std::optional<Warning> warning() const = 0;
};

template <class T>
class ConditionWatch;
template <class T>
class JumpIndicator;
template <class T>
class SingularRestart;

/// The most steps of a run that does not say otherwise.
inline constexpr long default_max_steps = 100'000'000;

/// What may happen to a run between its start and its end.
template <class T>
struct Interruptions {
  EventWatch<T>* watch = nullptr;  // events and sampling times; null: none
  /// With error control: steps end where time changes the equations; null: nothing is known of that.
  ConditionWatch<T>* conditions = nullptr;
  T max_step{0};  // with error control the largest step; 0: there is no limit
  /// With error control: a step that failed three times is taken for one over a discontinuity. The largest one that
  /// passes, by bisection, leads up to it; the run starts anew there. [Ren20, Sec. 3, after eq. (36), and Sec. 5.3]
  bool detect_discontinuities = false;
  /// A step that failed once or twice is taken for one over a discontinuity, too, where this says so; null: nothing
  /// does.
  JumpIndicator<T>* jumps = nullptr;
  std::vector<T> discontinuities = {};  // found by it
  std::vector<Guard<T>*> guards = {};
  /// With error control: where the steps fall to nothing before a singular position, the run goes on beyond it; null:
  /// it ends. An observer of the same run.
  SingularRestart<T>* restart = nullptr;
  /// The state is a copy from the middle of a run with the same method, which goes on as that run did.
  bool resumes = false;
  /// For the system: asked which equation left its domain when numbers stop being finite; null: nobody is.
  Model<T>* model = nullptr;
  /// With error control attempts at a step: one more ends the run with step_limit, on every machine at the same place.
  /// Of fixed steps more are not begun.
  long max_steps = default_max_steps;
};

/// Advances `state` to t_end with steps of fixed sizes. When they end there (to 1e-9 steps), step k of size h ends at
/// exactly k h; otherwise the last step is shortened. Events and sampling times end a step too, and the next
/// one ends where the one they cut short would have ended. On failure `state` is the last good one. An interrupt of the
/// context of this thread ends it with StatusCode::interrupted.
template <class T>
Status integrate(Stepper<T>& stepper, State<T>& state, const T& t_end, const FixedSteps<T>& steps,
                 const std::vector<Observer<T>*>& observers, Interruptions<T>* interruptions = nullptr);

/// Integrates with steps of one size.
template <class T>
Status integrate(Stepper<T>& stepper, State<T>& state, const T& t_end, const T& h,
                 const std::vector<Observer<T>*>& observers, Interruptions<T>* interruptions = nullptr) {
  return integrate<T>(stepper, state, t_end, FixedSteps<T>(h), observers, interruptions);
}

/// Advances `state` to t_end with the steps a stepper under control() asks for, starting with h (0: its own choice).
/// Ends with step_limit after max_steps attempts, or as soon as a run whose steps stability limits is known to need
/// more; the cause says what limits the steps. When t + h cannot be told from t, ends with accuracy_floor where
/// round-off explains the error, otherwise with step_too_small and the cause of the last failure. After an event or a
/// sampling time one-step methods go on with their step size, multistep methods as they start. A stepper that
/// chooses_steps() is only told where it must end, and takes no h. On failure `state` is the last good one.
template <class T>
Status integrate_adaptive(Stepper<T>& stepper, State<T>& state, const T& t_end, T h,
                          const std::vector<Observer<T>*>& observers, Interruptions<T>* interruptions = nullptr);

}  // namespace daelab
