// Steps over a jump of the equations that their error estimate does not see.
//
// If rates are constant on both sides, x' = select(x < 1, 1, 2), slopes are 1 up to some stage and 2 after it, and
// the weights of an estimate may add up to 0 on either part: x = 5.27 for 5 by a pair of order 5 at 1E-8. A step that
// starts on one side with all stages on the other has no slope of its start at all.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "core/integration/method.hpp"

namespace daelab {

/// Makes steps over a condition of the motion once more as two, by a stepper of its own: the first `most_looks` of
/// them. The first of both ends where the values at the step ends put the condition. Halves would share what a method
/// does not see before its first node, or behind its last one. Of one-step methods that do not choose their steps
/// themselves: what the others have of the past belongs to one size of steps.
template <class T>
class CrossingCheck {
 public:
  static constexpr int most_looks = 100;
  static constexpr double tolerances_allowed = 100;
  using MakeStepper = std::function<std::unique_ptr<Stepper<T>>()>;

  CrossingCheck(const System<T>& system, const Tolerances<T>& tolerances, MakeStepper make_stepper)
      : tolerances_(tolerances), norm_(tolerances, system), make_stepper_(std::move(make_stepper)) {}
  /// At an accepted step that has changed the sign of `condition`, named by its text, or was led over its zero by the
  /// slope at the start and has come back, after this share of its size.
  void look(const State<T>& from, const State<T>& to, const T& share, const std::string& condition);
  /// "unwatched", where the two differed by more than `tolerances_allowed`: the worst step.
  std::optional<Warning> warning() const;

 private:
  Tolerances<T> tolerances_;
  ErrorNorm<T> norm_;
  MakeStepper make_stepper_;
  std::unique_ptr<Stepper<T>> stepper_;
  State<T> start_, middle_, end_;
  int looks_ = 0;
  double worst_ = 0, t_ = 0, h_ = 0;
  std::string condition_;
};

}  // namespace daelab
