#include "core/integration/discontinuity_search.hpp"

#include <algorithm>
#include <utility>

namespace daelab {
namespace {

constexpr int failures_of_a_discontinuity = 3;
// For a smooth motion, errors exceed the tolerance by little.
constexpr int smooth_error = 10;

constexpr int most_halvings = 40;
constexpr int unknown_error = 1000;  // of a step that was not completed

template <class T>
T error_of(const Attempt<T>& attempt) {
  return attempt.status.ok() ? attempt.decision.error : T(unknown_error);
}

// A step that passed, and is not made.
template <class T>
void drop_passed(Passage<T>& passage, Attempt<T> attempt) {
  attempt.decision.accepted = false;
  passage.drop(attempt);
}

}  // namespace

template <class T>
bool DiscontinuitySearch<T>::suspects(const T& t, const Attempt<T>& failed, const std::function<bool()>& jumps) {
  if (!armed_) return false;
  bool found = jumps();
  if (!failed.status.ok() || failed.decision.error >= T(smooth_error)) {
    const T end = t + failed.h;
    nearest_end_ = failures_ == 0 ? end : std::min(nearest_end_, end);
    found = ++failures_ >= failures_of_a_discontinuity || found;
  }
  if (found) armed_ = false, failures_ = 0;
  return found;
}

template <class T>
bool DiscontinuitySearch<T>::passed(const T& t) {
  if (t >= nearest_end_) failures_ = 0;
  if (beyond_ && t >= *beyond_) {
    beyond_.reset();
    return true;
  }
  armed_ = wanted_ && !beyond_;
  return false;
}

template <class T>
Bracket<T> largest_passing_step(Passage<T>& passage, const Attempt<T>& failed, int failures) {
  Bracket<T> bracket{{}, failed.h};
  State<T> reached = passage.next();  // by the largest step that passed
  T error = error_of(failed), passes(0);
  for (int i = 0; i < most_halvings && error * (bracket.fails - passes) > bracket.fails; ++i) {
    const T h = (passes + bracket.fails) / T(2), t = passage.state().t;
    passage.state().control.order = failed.order;  // the size is what is looked for
    const Attempt<T> attempt = passage.attempt(h, T(t + h), failures);
    if (attempt.passed()) {
      if (bracket.passes) drop_passed(passage, *bracket.passes);
      bracket.passes = attempt, passes = h, reached = passage.next();
    } else {
      passage.drop(attempt);
      bracket.fails = h, error = error_of(attempt);
    }
  }
  if (!bracket.passes) return bracket;
  passage.tell(*bracket.passes);
  std::swap(passage.next(), reached);
  return bracket;
}

#define DAELAB_INSTANTIATE(T)            \
  template class DiscontinuitySearch<T>; \
  template Bracket<T> largest_passing_step<T>(Passage<T>&, const Attempt<T>&, int);
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
