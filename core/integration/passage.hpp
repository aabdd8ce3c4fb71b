// The passage from one state of a run to the next: what runs with fixed steps and with error control share.
#pragma once

#include <optional>
#include <vector>

#include "core/integration/integrate.hpp"
#include "core/integration/state.hpp"

namespace daelab {

/// One attempt at a step with error control.
template <class T>
struct Attempt {
  T h{0};
  int order = 0;  // asked for; 0: the method's own choice
  Status status = {};
  bool completed = false;         // the method got to its end, whatever the numbers there are
  StepDecision<T> decision = {};  // meaningless unless status.ok()
  bool passed() const { return status.ok() && decision.accepted; }
};

/// Copies a failure, with the time of the step in its cause.
template <class T>
Status at_time(Status status, const T& t);

/// The state that a run has reached, the end of the step tried last, and who looks at them.
template <class T>
class Passage {
 public:
  using Sequel = typename EventWatch<T>::Sequel;
  /// How a step ends: at an event or where a condition changes, for which it may have been shortened.
  struct Ending {
    Status status;
    std::optional<Occurrence<T>> event = {};
    bool shortened = false;
    bool at_change = false;  // of a condition, and at no event
  };

  Passage(Stepper<T>& stepper, State<T>& state, const std::vector<Observer<T>*>& observers,
          Interruptions<T>& interruptions);

  /// Empties the memory, unless the run resumes another; samples what is sampled.
  Status begin();

  Stepper<T>& stepper() { return stepper_; }
  State<T>& state() { return state_; }
  const State<T>& state() const { return state_; }
  State<T>& next() { return next_; }
  Interruptions<T>& interruptions() { return interruptions_; }
  /// An event has ended the run.
  bool stopped() const { return stopped_; }
  /// The state is right behind a change of the equations.
  bool has_changed() const { return changed_; }
  /// `end`, or the sampling time or change of a condition before it.
  T next_stop(const T& end) const;

  /// A step of size h into next(), with finite numbers, or the reason why not. It ends at `end` exactly: dense output
  /// must reach it.
  Status step(const T& h, const T& end);
  /// Makes a step with the decision on it, the `failures`-th retry. Observers are not told of it. The state takes over
  /// what the attempt has taught.
  Attempt<T> attempt(const T& h, const T& end, int failures);
  /// A step of a stepper that chooses its size, to `stop` at the latest.
  Attempt<T> own_step(const T& stop);
  void tell(const Attempt<T>& attempt);
  /// An attempt that is not to be the next step.
  void drop(const Attempt<T>& attempt);

  /// The event, or the change of a condition, that next() has gone over, or ends at: the step is made again, to end
  /// there.
  Ending end_at_event();
  /// next() becomes the state, unless a guard objects or the event takes place where the step began. Then what follows
  /// from the event.
  Sequel accept(const Ending& ending);

  /// Numbers that are not finite come from an equation: a step of size h is made once more, with the model looked at.
  Status explained(Status status, const T& h);

 private:
  Status reach(const T& end);
  Status move_on();
  void cut_at_change(Ending& ending);
  Status pass_change();
  Sequel follow(const Ending& ending);

  Stepper<T>& stepper_;
  State<T>& state_;
  State<T> next_;
  const std::vector<Observer<T>*>& observers_;
  Interruptions<T>& interruptions_;
  EventWatch<T>* watch_;  // null: nothing to watch
  bool stopped_ = false, changed_ = false;
};

}  // namespace daelab
