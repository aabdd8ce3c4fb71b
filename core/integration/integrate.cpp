#include "core/integration/integrate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "core/integration/step_plan.hpp"

namespace daelab {

std::atomic<bool> interrupt_requested{false};

namespace {

constexpr long max_steps = 100'000'000;

template <class T>
bool is_finite(const Vector<T>& y) {
  using std::abs;
  T sum(0);
  for (const T& x : y) sum += abs(x);
  return sum <= std::numeric_limits<T>::max();
}

template <class T>
Status at_time(Status status, const T& t) {
  status.cause += fmt::format(" (step from t = {:.6g})", static_cast<double>(t));
  return status;
}

// Finite, or the reason why not.
template <class T>
Status check_finite(const State<T>& state) {
  if (is_finite(state.y) && is_finite(state.ydot)) return {};
  return {StatusCode::non_finite, "the state is not finite"};
}

// Numbers that are not finite come from an equation: the step is made once more, with the model looked at.
template <class T>
Status explained(Status status, Model<T>* model, Stepper<T>& stepper, const State<T>& from, const T& h) {
  if (status.code != StatusCode::non_finite || model == nullptr) return status;
  State<T> next = from;
  model->seek_domain_error();
  stepper.step(from, h, next);
  if (const std::string equation = model->domain_error(); !equation.empty()) status.cause += "; " + equation;
  return status;
}

// What follows at the end of a step: of the event it ends at, of a sampling time it ends at.
template <class T>
typename EventWatch<T>::Sequel follow(EventWatch<T>* watch, const std::optional<Occurrence<T>>& event,
                                      State<T>& state) {
  if (watch == nullptr) return {};
  typename EventWatch<T>::Sequel sequel;
  if (event) sequel = watch->carry_out(*event, state);
  if (!sequel.status.ok() || sequel.stop) return sequel;
  const auto sampled = watch->sample(state);
  return {sampled.status, false, sequel.restart || sampled.restart};
}

// The first objection to a step.
template <class T>
Status ask(const std::vector<Guard<T>*>& guards, const State<T>& from, const State<T>& to) {
  for (Guard<T>* guard : guards)
    if (Status status = guard->check(from, to); !status.ok()) return status;
  return {};
}

template <class T>
class FixedStepRun {
 public:
  FixedStepRun(Stepper<T>& stepper, State<T>& state, const T& t_end, const T& h,
               const std::vector<Observer<T>*>& observers, const Interruptions<T>& interruptions, EventWatch<T>* watch)
      : stepper_(stepper),
        state_(state),
        next_(state),
        t_end_(t_end),
        h_(h),
        node_(state.t),
        observers_(observers),
        guards_(interruptions.guards),
        model_(interruptions.model),
        watch_(watch) {}

  // From one node of the grid to the next, in one step unless something is in between, of size h unless the last one is
  // shortened. A sliver that an event leaves goes to the step after it: on index 3 a tiny one amplifies round-off.
  Status advance(const T& node, bool shortened) {
    const T sliver = node < t_end_ ? T(h_ / T(10000)) : T(0);
    while (node - state_.t > sliver && !stopped_) {
      const T target = watch_ != nullptr ? std::min(node, watch_->next_sampling(state_.t)) : node;
      const bool whole = state_.t == node_ && target == node && !shortened;
      const T h = whole ? h_ : T(target - state_.t);
      if (const Status status = step(h, target); !status.ok())
        return at_time(explained(status, model_, stepper_, state_, h), state_.t);
    }
    node_ = node;
    return {};
  }
  bool stopped() const { return stopped_; }

 private:
  Status step(const T& h, const T& target) {
    if (Status status = stepper_.step(state_, h, next_); !status.ok()) return status;
    next_.t = target;  // the end exactly: dense output must reach it
    if (Status finite = check_finite(next_); !finite.ok()) return finite;
    std::optional<Occurrence<T>> event;
    if (watch_ != nullptr) event = watch_->locate(state_, next_);
    const bool at_start = event && event->t == state_.t;
    if (event && !at_start && event->t < next_.t)
      if (Status status = watch_->land(*event, state_, next_); !status.ok()) return status;
    if (at_start) {
      stepper_.count_rejection(true);
    } else {
      if (Status status = ask(guards_, state_, next_); !status.ok()) {
        stepper_.count_rejection(true);
        return status;
      }
      for (Observer<T>* observer : observers_) observer->step(state_, next_);
      std::swap(state_, next_);
    }
    const auto sequel = follow(watch_, event, state_);
    stopped_ = sequel.stop;
    return sequel.status;
  }

  Stepper<T>& stepper_;
  State<T>& state_;
  State<T> next_;
  T t_end_, h_;
  T node_;  // of the grid, reached last
  const std::vector<Observer<T>*>& observers_;
  const std::vector<Guard<T>*>& guards_;
  Model<T>* model_;
  EventWatch<T>* watch_;
  bool stopped_ = false;
};

template <class T>
class AdaptiveRun {
 public:
  AdaptiveRun(Stepper<T>& stepper, State<T>& state, const T& t_end, const T& h,
              const std::vector<Observer<T>*>& observers, Interruptions<T>& interruptions, EventWatch<T>* watch)
      : stepper_(stepper),
        state_(state),
        next_(state),
        t_end_(t_end),
        h_(h),
        observers_(observers),
        interruptions_(interruptions),
        watch_(watch),
        armed_(interruptions.detect_discontinuities) {}

  Status advance() {
    for (long attempts = 0; state_.t < t_end_ && !stopped_; ++attempts) {
      if (interrupt_requested.load(std::memory_order_relaxed)) return {StatusCode::interrupted, "stopped by the user"};
      if (attempts == max_steps) return at_time({StatusCode::step_limit, "more than 100 million steps"}, state_.t);
      if (attempts % attempts_of_a_stage == 0 && never_arrives())
        return at_time({StatusCode::step_limit, "more than 100 million steps would be needed: stability limits them"},
                       state_.t);
      const T target = choose_step();
      if (step_is_too_small()) {
        last_ = explained(last_, interruptions_.model, stepper_, state_, failed_);
        return at_time({last_.code == StatusCode::non_finite ? last_.code : StatusCode::step_too_small,
                        fmt::format("the step fell to {:.1e} s; {}", static_cast<double>(h_),
                                    last_.ok() ? "the error test failed" : last_.cause)},
                       state_.t);
      }
      const bool accepted = attempt(h_, target);
      if (last_.code == StatusCode::not_applicable || last_.code == StatusCode::inconsistent)
        return at_time(last_, state_.t);  // no smaller step cures these
      if (accepted) {
        if (const Status status = accept(); !status.ok()) return at_time(status, state_.t);
      } else {
        const T failed = failed_ = h_;
        h_ = last_.ok() ? decision_.h : stepper_.retry(state_, h_, failures_);
        ++failures_;
        if (suspicious(failed))
          if (const Status status = approach_discontinuity(failed); !status.ok()) return at_time(status, state_.t);
      }
    }
    return {};
  }

 private:
  static constexpr int failures_of_a_discontinuity = 3;
  static constexpr long attempts_of_a_stage = 100'000;

  // The end of the next step. The last two steps before an end that is given share what remains: a tiny one would
  // amplify what the iterations leave by 1/h^2 on index 3.
  T choose_step() {
    wanted_ = h_;
    if (armed_ && failures_here_ == 0) smooth_ = h_;
    const T end = watch_ != nullptr ? std::min(t_end_, watch_->next_sampling(state_.t)) : t_end_;
    const T rest = end - state_.t;
    if (T(101) * h_ >= T(100) * rest) {
      h_ = rest;
      return end;
    }
    if (h_ + h_ > rest) h_ = rest / T(2);
    return state_.t + h_;
  }

  // At the start, t = 0, transients may be shorter than the interval by many decades.
  bool step_is_too_small() const {
    using std::abs;
    const T shown = std::max(T(abs(state_.t)), T(epsilon<T>() * abs(t_end_)));
    return !(h_ > T(4) * epsilon<T>() * shown);
  }

  // Of a stepper that has found its steps limited by stability, so that they will not grow: whether the time passed in
  // the last attempts is too little.
  bool never_arrives() {
    const T passed = state_.t - std::exchange(stage_start_, state_.t);
    const bool creeps = std::any_of(stepper_.warnings().begin(), stepper_.warnings().end(),
                                    [](const Warning& warning) { return warning.kind == "stiff"; });
    return creeps && t_end_ - state_.t > T(static_cast<double>(max_steps / attempts_of_a_stage)) * passed;
  }

  bool attempt(const T& h, const T& target) {
    const bool accepted = try_step(h, target);
    if (!accepted) stepper_.count_rejection(completed_);
    tell(h, decision_);
    return accepted;
  }

  bool try_step(const T& h, const T& target) {
    last_ = stepper_.step(state_, h, next_);
    completed_ = last_.ok();
    if (completed_) last_ = check_finite(next_);
    decision_ = {};
    if (last_.ok()) {
      next_.t = target;
      decision_ = stepper_.judge(state_, h, next_, failures_);
      if (!(decision_.error <= std::numeric_limits<T>::max()))
        last_ = {StatusCode::non_finite, "the error estimate is not finite"};
    }
    return last_.ok() && decision_.accepted;
  }

  void tell(const T& h, const StepDecision<T>& decision) {
    for (Observer<T>* observer : observers_) observer->attempt({state_.t, h, last_, decision, stepper_.statistics()});
  }

  Status accept() {
    failures_ = 0;
    std::optional<Occurrence<T>> event;
    if (watch_ != nullptr) event = watch_->locate(state_, next_);
    const bool at_start = event && event->t == state_.t;
    if (event && !at_start && event->t < next_.t)
      if (Status status = land(*event); !status.ok()) return status;
    if (at_start) {
      stepper_.count_rejection(true);
    } else if (Status status = take_step(); !status.ok()) {
      stepper_.count_rejection(true);
      return status;
    }
    const auto sequel = follow(watch_, event, state_);
    stopped_ = sequel.stop;
    h_ = decision_.h;
    if (sequel.restart && stepper_.is_multistep()) h_ = restart_step();
    if ((event || sequel.restart) && !stepper_.is_multistep()) h_ = std::max(h_, wanted_);
    if (state_.t >= suspected_) failures_here_ = 0;
    if (beyond_ > T(0) && state_.t >= beyond_)
      start_anew();
    else
      armed_ = interruptions_.detect_discontinuities && beyond_ == T(0);
    return sequel.status;
  }

  // The step is made again, to end at the event. It is as good as the longer one that passed.
  Status land(const Occurrence<T>& event) {
    if (Status status = watch_->land(event, state_, next_); !status.ok()) return status;
    const T h = next_.t - state_.t;
    decision_ = stepper_.judge(state_, h, next_, 0);
    decision_.accepted = true;
    tell(h, decision_);
    return {};
  }

  Status take_step() {
    if (Status status = ask(interruptions_.guards, state_, next_); !status.ok()) return status;
    for (Observer<T>* observer : observers_) observer->step(state_, next_);
    std::swap(state_, next_);
    return {};
  }

  T restart_step() const { return stepper_.first_step(state_, T(t_end_ - state_.t)); }

  // Whether this is the third failure at the same place: steps that failed, and none that passed, have gone beyond the
  // nearest end of theirs. A step made in between may only have come closer. Of a smooth motion, errors exceed the
  // tolerance by little.
  bool suspicious(const T& failed) {
    constexpr int smooth = 10;
    if (!armed_ || (last_.ok() && decision_.error < T(smooth))) return false;
    const T end = state_.t + failed;
    suspected_ = failures_here_ == 0 ? end : std::min(suspected_, end);
    return ++failures_here_ == failures_of_a_discontinuity;
  }

  // A step of size `fails` failed, the third one there. The largest step that passes is made, the past is forgotten,
  // and the next step is the one over the discontinuity.                                              [Ren20, Sec. 5.3]
  Status approach_discontinuity(T fails) {
    armed_ = false, failures_here_ = 0;
    const T passes = bisect(fails);
    h_ = fails;
    if (passes == T(0)) return {};
    const T reached = next_.t;
    beyond_ = state_.t + fails, wanted_ = passes;
    if (const Status status = accept(); !status.ok() || stopped_) return status;
    if (state_.t == reached) {
      interruptions_.discontinuities.push_back(reached);
      forget();
      h_ = beyond_ - reached;
    } else {  // an event came first
      beyond_ = T(0);
    }
    return {};
  }

  // The largest step that passes, by bisection, until one as long as what is left up to the least that fails is
  // expected to pass, too: over a jump of y' errors are in proportion to the step. Leaves the step in next_; 0: none.
  T bisect(T& fails) {
    constexpr int most_halvings = 40;
    constexpr int unknown = 1000;  // error of a step that was not completed
    T passes(0), error = last_.ok() ? decision_.error : T(unknown);
    StepDecision<T> decision;
    for (int i = 0; i < most_halvings && error * (fails - passes) > fails; ++i) {
      const T h = (passes + fails) / T(2);
      stepper_.retry(state_, h, 0);  // of the same order: the size is what is looked for
      if (try_step(h, T(state_.t + h))) {
        if (passes > T(0)) drop(passes, decision);
        passes = h, reached_ = next_, decision = decision_;
      } else {
        stepper_.count_rejection(completed_);
        tell(h, decision_);
        fails = h, error = last_.ok() ? decision_.error : T(unknown);
      }
    }
    last_ = {}, decision_ = decision;
    if (passes > T(0)) tell(passes, decision_), std::swap(next_, reached_);
    return passes;
  }

  // A step that passed, and is not made.
  void drop(const T& h, StepDecision<T> decision) {
    decision.accepted = false;
    stepper_.count_rejection(true);
    tell(h, decision);
  }

  void forget() {
    state_.memory.setZero(), state_.compensation.setZero();
    state_.memory_step = T(0);
  }

  // Beyond a discontinuity: nothing of what was before is of use but the size of the steps.
  void start_anew() {
    beyond_ = T(0);
    forget();
    h_ = stepper_.is_multistep() ? restart_step() : std::max(h_, smooth_);
  }

  Stepper<T>& stepper_;
  State<T>& state_;
  State<T> next_;
  T t_end_, h_;
  T failed_{0};  // the size of the last step that did
  T wanted_{0};  // the step before it was cut to an end
  T stage_start_{0};
  const std::vector<Observer<T>*>& observers_;
  Interruptions<T>& interruptions_;
  EventWatch<T>* watch_;
  Status last_;  // of the last attempt
  StepDecision<T> decision_;
  int failures_ = 0;
  bool completed_ = false, stopped_ = false;
  bool armed_;  // three failures are taken for a discontinuity; not twice for the same one
  int failures_here_ = 0;
  T suspected_{0};    // nearest end of a step that failed
  T smooth_{0};       // the step asked for before they began
  T beyond_{0};       // time at which a discontinuity ahead is passed; 0: there is none
  State<T> reached_;  // by the largest step that passed
};

// Empties the memory; samples what is sampled.
template <class T>
Status begin(Stepper<T>& stepper, State<T>& state, const std::vector<Observer<T>*>& observers,
             const Interruptions<T>& interruptions, EventWatch<T>* watch) {
  state.memory.setZero(stepper.memory_size());
  state.memory_step = T(0);
  if (watch != nullptr)
    if (Status status = watch->start(state); !status.ok()) return status;
  for (Guard<T>* guard : interruptions.guards) guard->start(state);
  for (Observer<T>* observer : observers) observer->start(state);
  return {};
}

template <class T>
EventWatch<T>* watch_of(const Interruptions<T>& interruptions) {
  const bool idle = interruptions.watch == nullptr || interruptions.watch->idle();
  return idle ? nullptr : interruptions.watch;
}

}  // namespace

template <class T>
Status integrate(Stepper<T>& stepper, State<T>& state, const T& t_end, const T& h,
                 const std::vector<Observer<T>*>& observers, Interruptions<T>* interruptions) {
  const T t0 = state.t;
  const StepPlan plan = plan_steps(T(t_end - t0), h);
  if (plan.steps > max_steps) return {StatusCode::step_limit, "more than 100 million steps"};
  const Interruptions<T> none;
  const Interruptions<T>& given = interruptions != nullptr ? *interruptions : none;
  EventWatch<T>* watch = watch_of(given);
  if (const Status status = begin(stepper, state, observers, given, watch); !status.ok()) return status;
  FixedStepRun<T> run(stepper, state, t_end, h, observers, given, watch);
  for (long k = 1; k <= plan.steps && !run.stopped(); ++k) {
    if (interrupt_requested.load(std::memory_order_relaxed)) return {StatusCode::interrupted, "stopped by the user"};
    const bool last = k == plan.steps;
    if (const Status status = run.advance(last ? t_end : T(t0 + k * h), last && plan.shortened); !status.ok())
      return status;
  }
  return {};
}

template <class T>
Status integrate_adaptive(Stepper<T>& stepper, State<T>& state, const T& t_end, T h,
                          const std::vector<Observer<T>*>& observers, Interruptions<T>* interruptions) {
  Interruptions<T> none;
  Interruptions<T>& given = interruptions != nullptr ? *interruptions : none;
  EventWatch<T>* watch = watch_of(given);
  if (const Status status = begin(stepper, state, observers, given, watch); !status.ok()) return status;
  if (h == T(0)) h = stepper.first_step(state, T(t_end - state.t));
  return AdaptiveRun<T>(stepper, state, t_end, h, observers, given, watch).advance();
}

#define DAELAB_INSTANTIATE(T)                                                                                  \
  template Status integrate<T>(Stepper<T>&, State<T>&, const T&, const T&, const std::vector<Observer<T>*>&,   \
                               Interruptions<T>*);                                                             \
  template Status integrate_adaptive<T>(Stepper<T>&, State<T>&, const T&, T, const std::vector<Observer<T>*>&, \
                                        Interruptions<T>*);
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
