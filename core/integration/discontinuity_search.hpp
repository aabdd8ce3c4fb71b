// Discontinuities that nobody has announced, found by the steps that fail over them.
//
// [Ren20] Ren, Zhou, Journal of Dynamics and Control, 2020, doi 10.6052/1672-6553-2020-098.
#pragma once

#include <functional>
#include <optional>

#include "core/integration/passage.hpp"

namespace daelab {

/// Takes three failures at the same place for a discontinuity there [Ren20, Sec. 3, after eq. (36)]. The largest step
/// that passes, by bisection, leads up to it; the next one goes over it. To end a step there and to start anew is in
/// [Ren20, Sec. 5.3], too; how the place is found, the paper leaves to its references.
template <class T>
class DiscontinuitySearch {
 public:
  explicit DiscontinuitySearch(bool wanted) : wanted_(wanted), armed_(wanted) {}

  /// Told of the size asked for, before each attempt.
  void expect(const T& h) {
    if (armed_ && failures_ == 0) smooth_ = h;
  }
  /// Told of each failure of a step from t. Whether it is the third one at the same place: steps that failed, and none
  /// that passed, have gone beyond the nearest end of theirs. A step made in between may only have come closer. Not
  /// twice for the same place. `jumps()`, asked each time: whether this one is enough.
  bool suspects(const T& t, const Attempt<T>& failed, const std::function<bool()>& jumps);
  /// The search has led the run up to a discontinuity that is passed at this time.
  void lead_over(const T& time) { beyond_ = time; }
  /// An event came first.
  void give_up() { beyond_.reset(); }
  /// Told of each accepted step to t. Whether the discontinuity has been passed.
  bool passed(const T& t);
  /// The step asked for before the failures began.
  const T& smooth() const { return smooth_; }

 private:
  bool wanted_;
  bool armed_;        // failures are looked at
  int failures_ = 0;  // at the same place
  T nearest_end_{0};  // of a step that failed there
  T smooth_{0};
  std::optional<T> beyond_;  // time at which a discontinuity ahead is passed
};

/// The largest step from a state that passes, and the least that fails.
template <class T>
struct Bracket {
  std::optional<Attempt<T>> passes;  // its end is Passage::next()
  T fails;
};

/// By bisection from a step that failed, until one as long as what is left up to the least that fails is expected to
/// pass, too: over a jump of y' errors are in proportion to the step. `failures`: of the step so far.
template <class T>
Bracket<T> largest_passing_step(Passage<T>& passage, const Attempt<T>& failed, int failures);

}  // namespace daelab
