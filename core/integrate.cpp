#include "core/integrate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace daelab {

std::atomic<bool> interrupt_requested{false};

namespace {

constexpr long max_steps = 100'000'000;

// Number of steps, and whether the last one is shortened.
struct StepPlan {
  long steps;
  bool shortened;
};

template <class T>
StepPlan plan_steps(const T& length, const T& h) {
  const double count = static_cast<double>(T(length / h));
  const double whole = std::round(count);
  if (std::abs(count - whole) <= 1e-9 * std::max(1.0, whole)) return {static_cast<long>(whole), false};
  return {static_cast<long>(std::ceil(count)), true};
}

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

// The step made again, to end at the event itself instead of where dense output has it. `judge` completes each attempt.
template <class T>
Status land(Stepper<T>& stepper, EventWatch<T>& watch, const Occurrence<T>& event, const State<T>& state, State<T>& next,
            const auto& judge) {
  using std::abs;
  constexpr int most_attempts = 6;
  T t = event.t;
  for (int attempt = 0; attempt < most_attempts; ++attempt) {
    stepper.count_rejection(true);
    if (const Status status = stepper.step(state, T(t - state.t), next); !status.ok()) return status;
    next.t = t;
    judge(next);
    const T change = watch.distance(event, next);
    if (abs(change) <= watch.resolution(t) || t + change <= state.t) break;
    t += change;
  }
  return {};
}

// What follows at the end of a step: of the event it ends at, of a sampling time it ends at.
template <class T>
typename EventWatch<T>::Sequel follow(EventWatch<T>* watch, const std::optional<Occurrence<T>>& event, State<T>& state) {
  if (watch == nullptr) return {};
  typename EventWatch<T>::Sequel sequel;
  if (event) sequel = watch->carry_out(*event, state);
  if (!sequel.status.ok() || sequel.stop) return sequel;
  const auto sampled = watch->sample(state);
  return {sampled.status, false, sequel.restart || sampled.restart};
}

template <class T>
class FixedStepRun {
 public:
  FixedStepRun(Stepper<T>& stepper, State<T>& state, const std::vector<Observer<T>*>& observers, EventWatch<T>* watch)
      : stepper_(stepper), state_(state), next_(state), observers_(observers), watch_(watch) {}

  // To a node of the grid, in one step of size h unless something is in between. `h` 0: the size that is left.
  Status advance(const T& node, T h, bool& stopped) {
    while (state_.t < node && !stopped) {
      const T target = watch_ != nullptr ? std::min(node, watch_->next_sampling(state_.t)) : node;
      if (target != node || h == T(0)) h = target - state_.t;
      if (const Status status = step(h, target, stopped); !status.ok()) return at_time(status, state_.t);
      h = T(0);
    }
    return {};
  }

 private:
  Status step(const T& h, const T& target, bool& stopped) {
    if (Status status = stepper_.step(state_, h, next_); !status.ok()) return status;
    next_.t = target;  // the end exactly: dense output must reach it
    if (Status finite = check_finite(next_); !finite.ok()) return finite;
    std::optional<Occurrence<T>> event;
    if (watch_ != nullptr) event = watch_->locate(state_, next_);
    const bool at_start = event && event->t <= state_.t + watch_->resolution(state_.t);
    if (event && !at_start)
      if (Status status = land(stepper_, *watch_, *event, state_, next_, [](State<T>&) {}); !status.ok()) return status;
    if (at_start) {
      stepper_.count_rejection(true);
    } else {
      for (Observer<T>* observer : observers_) observer->step(state_, next_);
      std::swap(state_, next_);
    }
    const auto sequel = follow(watch_, event, state_);
    stopped = sequel.stop;
    return sequel.status;
  }

  Stepper<T>& stepper_;
  State<T>& state_;
  State<T> next_;
  const std::vector<Observer<T>*>& observers_;
  EventWatch<T>* watch_;
};

template <class T>
class AdaptiveRun {
 public:
  AdaptiveRun(Stepper<T>& stepper, State<T>& state, const T& t_end, const T& h,
              const std::vector<Observer<T>*>& observers, Interruptions<T>& interruptions)
      : stepper_(stepper),
        state_(state),
        next_(state),
        t_end_(t_end),
        h_(h),
        observers_(observers),
        interruptions_(interruptions),
        watch_(interruptions.watch) {}

  Status advance() {
    for (long attempts = 0; state_.t < t_end_ && !stopped_; ++attempts) {
      if (interrupt_requested.load(std::memory_order_relaxed)) return {StatusCode::interrupted, "stopped by the user"};
      if (attempts == max_steps) return at_time({StatusCode::step_limit, "more than 100 million steps"}, state_.t);
      const T target = choose_step();
      if (step_is_too_small())
        return at_time({StatusCode::step_too_small,
                        fmt::format("the step fell to {:.1e} s; {}", static_cast<double>(h_),
                                    last_.ok() ? "the error test failed" : last_.cause)}, state_.t);
      const bool accepted = attempt(h_, target);
      if (last_.code == StatusCode::not_applicable || last_.code == StatusCode::inconsistent)
        return at_time(last_, state_.t);  // no smaller step cures these
      if (accepted) {
        if (const Status status = accept(); !status.ok()) return at_time(status, state_.t);
      } else {
        h_ = last_.ok() ? verdict_.h : stepper_.retry(state_, h_, failures_);
        ++failures_;
        if (interruptions_.detect_discontinuities && failures_ == failures_of_a_discontinuity)
          if (const Status status = approach_discontinuity(); !status.ok()) return at_time(status, state_.t);
      }
    }
    return {};
  }

 private:
  static constexpr int failures_of_a_discontinuity = 3;

  // The end of the next step. The last two steps before an end that is given share what remains: a tiny one would amplify
  // what the iterations leave by 1/h^2 on index 3.
  T choose_step() {
    wanted_ = h_;
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

  bool attempt(const T& h, const T& target) {
    last_ = stepper_.step(state_, h, next_);
    const bool completed = last_.ok();
    if (completed) last_ = check_finite(next_);
    verdict_ = {};
    if (last_.ok()) {
      next_.t = target;
      verdict_ = stepper_.judge(state_, h, next_, failures_);
      if (!(verdict_.error <= std::numeric_limits<T>::max()))
        last_ = {StatusCode::non_finite, "the error estimate is not finite"};
    }
    const bool accepted = last_.ok() && verdict_.accepted;
    if (!accepted) stepper_.count_rejection(completed);
    for (Observer<T>* observer : observers_)
      observer->attempt({state_.t, h, last_, verdict_, stepper_.statistics()});
    return accepted;
  }

  Status accept() {
    failures_ = 0;
    std::optional<Occurrence<T>> event;
    if (watch_ != nullptr) event = watch_->locate(state_, next_);
    const bool at_start = event && event->t <= state_.t + watch_->resolution(state_.t);
    if (event && !at_start) {
      const auto judge = [&](State<T>& next) { verdict_ = stepper_.judge(state_, T(next.t - state_.t), next, 0); };
      if (Status status = land(stepper_, *watch_, *event, state_, next_, judge); !status.ok()) return status;
    }
    if (at_start)
      stepper_.count_rejection(true);
    else
      take_step();
    const auto sequel = follow(watch_, event, state_);
    stopped_ = sequel.stop;
    h_ = verdict_.h;
    if (sequel.restart && stepper_.is_multistep()) h_ = restart_step();
    if ((event || sequel.restart) && !stepper_.is_multistep()) h_ = std::max(h_, wanted_);
    return sequel.status;
  }

  void take_step() {
    for (Observer<T>* observer : observers_) observer->step(state_, next_);
    std::swap(state_, next_);
  }

  T restart_step() const { return stepper_.first_step(state_, T(t_end_ - state_.t)); }

  // The largest step that passes, to an eighth; the discontinuity is behind its end.
  Status approach_discontinuity() {
    constexpr int halvings = 20;
    T passes(0), fails = wanted_;
    State<T> reached;
    StepVerdict<T> verdict;
    for (int i = 0; i < halvings && T(8) * (fails - passes) > passes; ++i) {
      const T h = (passes + fails) / T(2);
      failures_ = 0;
      if (attempt(h, T(state_.t + h))) {
        if (passes > T(0)) stepper_.count_rejection(true);
        passes = h, reached = next_, verdict = verdict_;
      } else {
        fails = h;
      }
    }
    if (passes == T(0)) return {};
    interruptions_.discontinuities.push_back(T(state_.t + passes));
    wanted_ = passes;
    next_ = reached, verdict_ = verdict;
    if (const Status status = accept(); !status.ok()) return status;
    state_.memory.setZero(), state_.carry.setZero();
    state_.memory_step = T(0);
    if (stepper_.is_multistep()) h_ = restart_step();
    return {};
  }

  Stepper<T>& stepper_;
  State<T>& state_;
  State<T> next_;
  T t_end_, h_;
  T wanted_{0};  // the step before it was cut to an end
  const std::vector<Observer<T>*>& observers_;
  Interruptions<T>& interruptions_;
  EventWatch<T>* watch_;
  Status last_;  // of the last attempt
  StepVerdict<T> verdict_;
  int failures_ = 0;
  bool stopped_ = false;
};

// Empties the memory; samples what is sampled.
template <class T>
Status begin(Stepper<T>& stepper, State<T>& state, const std::vector<Observer<T>*>& observers, EventWatch<T>* watch) {
  state.memory.setZero(stepper.memory_size());
  state.memory_step = T(0);
  if (watch != nullptr)
    if (Status status = watch->start(state); !status.ok()) return status;
  for (Observer<T>* observer : observers) observer->start(state);
  return {};
}

template <class T>
EventWatch<T>* watch_of(const Interruptions<T>* interruptions) {
  const bool idle = interruptions == nullptr || interruptions->watch == nullptr || interruptions->watch->idle();
  return idle ? nullptr : interruptions->watch;
}

}  // namespace

template <class T>
Status integrate(Stepper<T>& stepper, State<T>& state, const T& t_end, const T& h,
                 const std::vector<Observer<T>*>& observers, Interruptions<T>* interruptions) {
  const T t0 = state.t;
  const StepPlan plan = plan_steps(T(t_end - t0), h);
  if (plan.steps > max_steps) return {StatusCode::step_limit, "more than 100 million steps"};
  EventWatch<T>* watch = watch_of(interruptions);
  if (const Status status = begin(stepper, state, observers, watch); !status.ok()) return status;
  FixedStepRun<T> run(stepper, state, observers, watch);
  bool stopped = false;
  for (long k = 1; k <= plan.steps && !stopped; ++k) {
    if (interrupt_requested.load(std::memory_order_relaxed))
      return {StatusCode::interrupted, "stopped by the user"};
    const bool last = k == plan.steps;
    if (const Status status = run.advance(last ? t_end : T(t0 + k * h), last && plan.shortened ? T(0) : h, stopped);
        !status.ok())
      return status;
  }
  return {};
}

template <class T>
Status integrate_adaptive(Stepper<T>& stepper, State<T>& state, const T& t_end, T h,
                          const std::vector<Observer<T>*>& observers, Interruptions<T>* interruptions) {
  Interruptions<T> none;
  Interruptions<T>& given = interruptions != nullptr ? *interruptions : none;
  EventWatch<T>* watch = watch_of(interruptions);
  if (const Status status = begin(stepper, state, observers, watch); !status.ok()) return status;
  if (h == T(0)) h = stepper.first_step(state, T(t_end - state.t));
  return AdaptiveRun<T>(stepper, state, t_end, h, observers, given).advance();
}

#define DAELAB_INSTANTIATE(T)                                                                         \
  template Status integrate<T>(Stepper<T>&, State<T>&, const T&, const T&,                            \
                               const std::vector<Observer<T>*>&, Interruptions<T>*);                  \
  template Status integrate_adaptive<T>(Stepper<T>&, State<T>&, const T&, T,                          \
                                        const std::vector<Observer<T>*>&, Interruptions<T>*);
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
