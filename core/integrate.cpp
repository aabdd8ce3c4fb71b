#include "core/integrate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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

}  // namespace

template <class T>
Status integrate(Stepper<T>& stepper, State<T>& state, const T& t_end, const T& h,
                 const std::vector<Observer<T>*>& observers) {
  const T t0 = state.t;
  const StepPlan plan = plan_steps(T(t_end - t0), h);
  if (plan.steps > max_steps) return {StatusCode::step_limit, "more than 100 million steps"};
  state.memory.setZero(stepper.memory_size());
  state.memory_step = T(0);
  State<T> next = state;
  for (Observer<T>* observer : observers) observer->start(state);
  for (long k = 1; k <= plan.steps; ++k) {
    if (interrupt_requested.load(std::memory_order_relaxed))
      return {StatusCode::interrupted, "stopped by the user"};
    const bool last_short = plan.shortened && k == plan.steps;
    const Status status = stepper.step(state, last_short ? T(t_end - state.t) : h, next);
    if (!status.ok()) return at_time(status, state.t);
    next.t = k == plan.steps ? t_end : T(t0 + k * h);  // the end exactly: dense output must reach it
    if (const Status finite = check_finite(next); !finite.ok()) return at_time(finite, state.t);
    for (Observer<T>* observer : observers) observer->step(state, next);
    std::swap(state, next);
  }
  return {};
}

template <class T>
Status integrate_adaptive(Stepper<T>& stepper, State<T>& state, const T& t_end, T h,
                          const std::vector<Observer<T>*>& observers) {
  using std::abs;
  state.memory.setZero(stepper.memory_size());
  state.memory_step = T(0);
  if (h == T(0)) h = stepper.first_step(state, T(t_end - state.t));
  State<T> next = state;
  Status last;  // of the last attempt that failed
  for (Observer<T>* observer : observers) observer->start(state);
  int failures = 0;
  for (long attempts = 0; state.t < t_end; ++attempts) {
    if (interrupt_requested.load(std::memory_order_relaxed))
      return {StatusCode::interrupted, "stopped by the user"};
    if (attempts == max_steps) return at_time({StatusCode::step_limit, "more than 100 million steps"}, state.t);
    // The last two steps share what remains: a tiny one would amplify what the iterations leave by 1/h^2 on index 3.
    const T rest = t_end - state.t;
    const bool final_step = T(101) * h >= T(100) * rest;
    if (final_step)
      h = rest;
    else if (h + h > rest)
      h = rest / T(2);
    // At the start, t = 0, transients may be shorter than the interval by many decades.
    const T shown = std::max(T(abs(state.t)), T(epsilon<T>() * abs(t_end)));
    if (!(h > T(4) * epsilon<T>() * shown))
      return at_time({StatusCode::step_too_small, fmt::format("the step fell to {:.1e} s; {}", static_cast<double>(h),
                                                              last.ok() ? "the error test failed" : last.cause)}, state.t);
    Status status = stepper.step(state, h, next);
    const bool completed = status.ok();
    if (completed) status = check_finite(next);
    StepVerdict<T> verdict;
    if (status.ok()) {
      next.t = final_step ? t_end : T(state.t + h);
      verdict = stepper.judge(state, h, next, failures);
      if (!(verdict.error <= std::numeric_limits<T>::max()))
        status = {StatusCode::non_finite, "the error estimate is not finite"};
    }
    if (status.code == StatusCode::not_applicable || status.code == StatusCode::inconsistent)
      return at_time(status, state.t);  // no smaller step cures these
    const bool accepted = status.ok() && verdict.accepted;
    if (!accepted) stepper.count_rejection(completed);
    for (Observer<T>* observer : observers)
      observer->attempt({state.t, h, status, verdict, stepper.statistics()});
    h = status.ok() ? verdict.h : stepper.retry(state, h, failures);
    last = status;
    failures = accepted ? 0 : failures + 1;
    if (!accepted) continue;
    for (Observer<T>* observer : observers) observer->step(state, next);
    std::swap(state, next);
  }
  return {};
}

#define DAELAB_INSTANTIATE(T)                                                          \
  template Status integrate<T>(Stepper<T>&, State<T>&, const T&, const T&,             \
                               const std::vector<Observer<T>*>&);                      \
  template Status integrate_adaptive<T>(Stepper<T>&, State<T>&, const T&, T,           \
                                        const std::vector<Observer<T>*>&);
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
