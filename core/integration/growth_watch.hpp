// Numbers that grow with fixed steps although the motion does not: a step beyond the limit of stability multiplies what
// the equations damp, and the end is finite, of any size, and meaningless.
#pragma once

#include <functional>
#include <memory>

#include "core/integration/integrate.hpp"

namespace daelab {

/// If the largest differential component exceeds `suspicious` times its size at the start, the step is made once
/// more as two of half the size, by a stepper of its own. Growth that the equations have is followed by both. Where
/// they differ by more than `followed` of what the step has changed, check() ends the run with StatusCode::diverged.
/// Otherwise the next such look is taken once the numbers are `next_look` times as large. Under error control all this
/// is the estimate's task.
template <class T>
class GrowthWatch final : public Guard<T> {
 public:
  static constexpr double suspicious = 1e10, next_look = 1e5, followed = 0.1;
  using MakeStepper = std::function<std::unique_ptr<Stepper<T>>()>;

  GrowthWatch(const System<T>& system, MakeStepper make_stepper)
      : differential_(system.differential()), make_stepper_(std::move(make_stepper)) {}
  void start(const State<T>& state) override;
  Status check(const State<T>& from, const State<T>& to) override;
  std::optional<Warning> warning() const override { return {}; }

 private:
  T size(const Vector<T>& y) const;
  double disagreement(const State<T>& from, const State<T>& to) const;

  Index differential_;
  MakeStepper make_stepper_;
  T start_{0}, limit_{0};
};

}  // namespace daelab
