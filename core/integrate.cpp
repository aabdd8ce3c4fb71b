#include "core/integrate.hpp"

#include <fmt/format.h>

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
    if (!is_finite(next.y) || !is_finite(next.ydot))
      return at_time({StatusCode::non_finite, "the state is not finite"}, state.t);
    for (Observer<T>* observer : observers) observer->step(state, next);
    std::swap(state, next);
  }
  return {};
}

#define DAELAB_INSTANTIATE(T)                                                      \
  template Status integrate<T>(Stepper<T>&, State<T>&, const T&, const T&,         \
                               const std::vector<Observer<T>*>&);
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
