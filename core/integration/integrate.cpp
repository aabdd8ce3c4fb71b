#include "core/integration/integrate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/integration/discontinuity_search.hpp"
#include "core/integration/fixed_steps_run.hpp"
#include "core/integration/jump_indicator.hpp"
#include "core/integration/run_ends.hpp"
#include "core/integration/singular_restart.hpp"

namespace daelab {

namespace {

// By a code that chooses the sizes of its steps.
template <class T>
class OwnStepsRun {
 public:
  OwnStepsRun(Passage<T>& passage, const T& t_end) : passage_(passage), t_end_(t_end) {}

  Status advance() {
    while (passage_.state().t < t_end_ && !passage_.stopped()) {
      if (Status status = check_interrupt(interrupt_); !status.ok()) return status;
      Status status = check_count();
      if (status.ok()) status = go_on();
      if (!status.ok()) return at_time(status, passage_.state().t);
    }
    return {};
  }

 private:
  Status go_on() {
    const T longest = passage_.interruptions().max_step, stop = passage_.next_stop(t_end_);
    const auto attempt = passage_.own_step(longest > T(0) ? std::min(stop, T(passage_.state().t + longest)) : stop);
    if (!attempt.status.ok()) return passage_.explained(attempt.status, attempt.h);
    passage_.tell(attempt);
    const auto ending = passage_.end_at_event();
    return ending.status.ok() ? passage_.accept(ending).status : ending.status;
  }
  Status check_count() const {
    const Statistics& s = passage_.stepper().statistics();
    const long most = passage_.interruptions().max_steps;
    if (s.steps + s.rejected < most) return {};
    return {StatusCode::step_limit, fmt::format("more than {} steps are needed", count_text(most))};
  }

  Passage<T>& passage_;
  T t_end_;
  const Interrupt& interrupt_ = Context::current().interrupt;
};

bool no_smaller_step_cures(StatusCode code) {
  return code == StatusCode::not_applicable || code == StatusCode::method_failed || code == StatusCode::inconsistent;
}

// A rejection whose error round-off alone explains: smaller steps lead nowhere then, but to zero.
template <class T>
class AccuracyFloor {
 public:
  void see(const T& t, const Attempt<T>& rejected) {
    const double error = static_cast<double>(rejected.decision.error);
    if (!(error <= rejected.decision.round_off)) return;
    if (!holds_at(t)) t_ = t, h_ = rejected.h, error_ = error;
    if (T(1000) * rejected.h > h_) error_ = std::max(error_, error);  // in tiny steps round-off grows
  }
  // Steps have not recovered since.
  bool holds_at(const T& t) const { return h_ > T(0) && t - t_ <= T(10) * h_; }
  Status status() const {
    return {
        StatusCode::accuracy_floor,
        fmt::format("round-off alone makes errors of {:.2g} tolerances in a step of {:.1e} s, and no less in smaller "
                    "ones: a tolerance that is larger by more than that, fewer stages or a form of lower index may "
                    "reach the end",
                    error_, static_cast<double>(h_))};
  }

 private:
  T t_{0}, h_{0};  // 0: there was none
  double error_ = 0;
};

template <class T>
class AdaptiveRun {
 public:
  AdaptiveRun(Passage<T>& passage, const T& t_end, const T& h)
      : passage_(passage),
        state_(passage.state()),
        t_end_(t_end),
        length_(t_end - state_.t),
        h_(h),
        stage_start_(state_.t),
        search_(passage.interruptions().detect_discontinuities) {}

  Status advance() {
    for (long attempts = 0; state_.t < t_end_ && !passage_.stopped(); ++attempts) {
      if (Status status = check_interrupt(interrupt_); !status.ok()) return status;
      Status status = check_count(attempts);
      if (status.ok()) status = go_on();
      if (!status.ok()) return at_time(status, state_.t);
    }
    return {};
  }

 private:
  static constexpr long attempts_of_a_stage = 100'000;
  static constexpr int steps_of_a_form = 4;  // of the equations, from one change to the next, at least
  struct Proposal {
    T h, end;
    T wanted;  // h before it was cut to an end
  };

  // Propose, step, judge, accept or drop.
  Status go_on() {
    const Proposal proposal = propose();
    if (is_too_small(proposal.h)) return leap() ? Status{} : too_small(proposal.h);
    last_ = passage_.attempt(proposal.h, proposal.end, failures_);
    if (last_.passed())
      passage_.tell(last_);
    else
      passage_.drop(last_);
    if (last_.status.code == StatusCode::inconsistent && leap()) return {};
    if (no_smaller_step_cures(last_.status.code)) return last_.status;
    return last_.passed() ? accept(proposal.wanted) : make_smaller();
  }

  // The last two steps before an end that is given share what remains: a tiny one would amplify what the iterations
  // leave by 1/h^2 on index 3.
  Proposal propose() {
    if (const T& longest = passage_.interruptions().max_step; longest > T(0)) h_ = std::min(h_, longest);
    search_.expect(h_);
    const T end = passage_.next_stop(t_end_), rest = end - state_.t;
    if (passage_.has_changed()) h_ = std::min(h_, T(rest / T(steps_of_a_form)));
    if (T(101) * h_ >= T(100) * rest) return {rest, end, h_};
    const T h = h_ + h_ > rest ? T(rest / T(2)) : h_;
    return {h, T(state_.t + h), h_};
  }

  // Lets steps at t = 0, the start of most runs, be shorter than the interval by many decades, as transients are.
  bool is_too_small(const T& h) const {
    using std::abs;
    const T shown = std::max(T(abs(state_.t)), T(epsilon<T>() * length_));
    return !(h > T(4) * epsilon<T>() * shown);
  }
  Status too_small(const T& h) {
    const Status last = passage_.explained(last_.status, last_.h);
    if (floor_.holds_at(state_.t)) return floor_.status();
    return {last.code == StatusCode::non_finite ? last.code : StatusCode::step_too_small,
            fmt::format("the step fell to {:.1e} s; {}", static_cast<double>(h),
                        last.ok() ? "the error test failed" : last.cause)};
  }

  Status check_count(long attempts) {
    const long most = passage_.interruptions().max_steps;
    if (attempts < most && (attempts % attempts_of_a_stage != 0 || !never_arrives())) return {};
    return {StatusCode::step_limit, fmt::format("more than {} steps {} needed: {}", count_text(most),
                                                attempts < most ? "would be" : "are", what_limits_steps(attempts))};
  }
  // What to do about it, too.
  std::string what_limits_steps(long attempts) {
    const Statistics& s = passage_.stepper().statistics();
    if (creeps()) return "stability limits them, not accuracy; an implicit method, rkc or rock4 takes fewer";
    if (2 * s.failed > attempts)
      return fmt::format(
          "the iteration fails in {} of {} attempts; another formulation or other options of newton may "
          "help",
          s.failed, attempts);
    if (2 * s.rejected > attempts)
      return fmt::format(
          "the error test rejects {} of {} attempts, as at a discontinuity; events or "
          "discontinuities = detect may help",
          s.rejected, attempts);
    return "the tolerance limits them; a larger one or a method of higher order takes fewer, or raise max_steps";
  }
  bool creeps() const {
    const auto& warnings = passage_.stepper().warnings();
    return std::any_of(warnings.begin(), warnings.end(),
                       [](const Warning& warning) { return warning.kind == "stiff"; });
  }
  // For a stepper that has found its steps limited by stability, so that they will not grow: whether the time passed in
  // the last attempts is too little.
  bool never_arrives() {
    const T passed = state_.t - std::exchange(stage_start_, state_.t);
    const double stages = static_cast<double>(passage_.interruptions().max_steps / attempts_of_a_stage);
    return creeps() && t_end_ - state_.t > T(stages) * passed;
  }

  // The last attempt, of a step that was to be of the size `wanted`.
  Status accept(const T& wanted) {
    const auto ending = passage_.end_at_event();
    if (ending.at_change && !ending.status.ok()) {
      last_ = {passage_.next().t - state_.t, last_.order, ending.status};
      passage_.drop(last_);
      return make_smaller();
    }
    if (!ending.status.ok()) return ending.status;
    if (ending.at_change && passage_.has_changed()) return divide(passage_.next().t - state_.t);
    if (ending.shortened && !judge_shortened(ending.at_change)) return make_smaller();
    failures_ = 0;
    const auto sequel = passage_.accept(ending);
    if (!sequel.status.ok()) return sequel.status;
    const bool is_multistep = passage_.stepper().is_multistep();
    h_ = last_.decision.h;
    if (sequel.restart && is_multistep) h_ = restart_step();
    if ((ending.event || sequel.restart) && !is_multistep) h_ = std::max(h_, wanted);
    if (search_.passed(state_.t)) start_anew(std::max(h_, search_.smooth()));
    return {};
  }

  // Between two changes of the equations, forces may be zero where they begin and where they end: a single step would
  // not see them.
  Status divide(const T& between) {
    last_.decision.accepted = false;
    passage_.drop(last_);
    h_ = between / T(steps_of_a_form);
    return {};
  }

  // The step was made again. To end at an event, it is as good as the longer one that passed; at a change of the
  // equations, the longer one may not have seen what it saw.
  bool judge_shortened(bool at_change) {
    last_.h = passage_.next().t - state_.t;
    last_.decision = passage_.stepper().judge(state_, last_.h, passage_.next(), 0);
    if (!at_change) last_.decision.accepted = true;
    if (last_.decision.accepted)
      passage_.tell(last_);
    else
      passage_.drop(last_);
    return last_.decision.accepted;
  }

  // The next attempt at the step that failed. The third failure at the same place is that of a discontinuity, an
  // earlier one where something is seen to jump.
  Status make_smaller() {
    if (last_.status.ok()) {
      h_ = last_.decision.h;
      floor_.see(state_.t, last_);
    } else {
      const Retry<T> retry = passage_.stepper().retry(state_, last_.h, failures_);
      h_ = retry.h, state_.control.order = retry.order;
    }
    ++failures_;
    const auto jumps = [this] {
      JumpIndicator<T>* const indicator = passage_.interruptions().jumps;
      return indicator != nullptr && indicator->jumps(state_, last_);
    };
    return search_.suspects(state_.t, last_, jumps) ? approach_discontinuity() : Status{};
  }

  // The largest step that passes is made, the past is forgotten, and the next step is the one over the discontinuity.
  Status approach_discontinuity() {
    const Bracket<T> bracket = largest_passing_step(passage_, last_, failures_);
    last_ = bracket.passes.value_or(Attempt<T>{last_.h});
    h_ = bracket.fails;
    if (!bracket.passes) return {};
    const T reached = passage_.next().t, beyond = state_.t + bracket.fails;
    search_.lead_over(beyond);
    if (const Status status = accept(last_.h); !status.ok() || passage_.stopped()) return status;
    if (state_.t != reached) {
      search_.give_up();  // an event came first
      return {};
    }
    passage_.interruptions().discontinuities.push_back(reached);
    state_.forget();
    h_ = beyond - reached;
    return {};
  }

  // One-step methods go on with steps of this size, which is all that counts of the past.
  void start_anew(const T& size) {
    state_.forget();
    h_ = passage_.stepper().is_multistep() ? restart_step() : size;
  }
  // Over a singular position, where the run may restart beyond it.
  bool leap() {
    SingularRestart<T>* const restart = passage_.interruptions().restart;
    if (restart == nullptr) return false;
    passage_.next() = state_;
    if (!restart->leap(t_end_, passage_.next()).ok()) return false;
    const T length = passage_.next().t - state_.t;
    if (!passage_.accept({}).status.ok()) return false;
    failures_ = 0;
    start_anew(length);
    return true;
  }
  T restart_step() const { return passage_.stepper().first_step(state_, T(t_end_ - state_.t)); }

  Passage<T>& passage_;
  State<T>& state_;
  T t_end_, length_;
  T h_;  // of the next step, unless it is cut to an end
  Attempt<T> last_;
  AccuracyFloor<T> floor_;
  int failures_ = 0;  // of the step ahead
  T stage_start_;
  DiscontinuitySearch<T> search_;
  const Interrupt& interrupt_ = Context::current().interrupt;
};

}  // namespace

template <class T>
Status integrate(Stepper<T>& stepper, State<T>& state, const T& t_end, const FixedSteps<T>& steps,
                 const std::vector<Observer<T>*>& observers, Interruptions<T>* interruptions) {
  Interruptions<T> none;
  return FixedStepsRun<T>(stepper, state, t_end, steps, observers, interruptions != nullptr ? *interruptions : none)
      .carry_out();
}

template <class T>
Status integrate_adaptive(Stepper<T>& stepper, State<T>& state, const T& t_end, T h,
                          const std::vector<Observer<T>*>& observers, Interruptions<T>* interruptions) {
  Interruptions<T> none;
  Passage<T> passage(stepper, state, observers, interruptions != nullptr ? *interruptions : none);
  if (const Status status = passage.begin(); !status.ok()) return status;
  if (stepper.chooses_steps()) {
    if (passage.interruptions().detect_discontinuities)
      return {StatusCode::not_applicable,
              "the code chooses the sizes of its steps: it cannot be led to discontinuities"};
    if (h != T(0)) return {StatusCode::not_applicable, "the code chooses its first step, too: set no h beside rtol"};
    return OwnStepsRun<T>(passage, t_end).advance();
  }
  if (h == T(0)) h = stepper.first_step(state, T(t_end - state.t));
  return AdaptiveRun<T>(passage, t_end, h).advance();
}

#define DAELAB_INSTANTIATE(T)                                                                                  \
  template Status integrate<T>(Stepper<T>&, State<T>&, const T&, const FixedSteps<T>&,                         \
                               const std::vector<Observer<T>*>&, Interruptions<T>*);                           \
  template Status integrate_adaptive<T>(Stepper<T>&, State<T>&, const T&, T, const std::vector<Observer<T>*>&, \
                                        Interruptions<T>*);
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
