// Runs in lockstep: the same step of several runs is computed at once, and each run takes its own.
#pragma once

#include <memory>
#include <span>

#include "core/integration/state.hpp"
#include "core/model/evaluated_ahead.hpp"

namespace daelab {

/// Computes steps of up to `most` steppers ahead. A stepper whose next step starts from the very state, and is as long,
/// takes it; any other step it makes itself. Both have the same bits, so nothing depends on which it was.
class Lockstep {
 public:
  static constexpr std::size_t most = 4;
  virtual ~Lockstep() = default;
  /// After all have joined, before the first step.
  virtual void begin() = 0;
  /// Steps of size h from these states, one of each stepper in the order in which they joined; null: none of this one.
  /// The states stay as they are until the steppers have made these steps.
  virtual void compute(double h, std::span<const State<double>* const> from) = 0;
  /// What has been evaluated at the end of the step of one of them, for its observers.
  virtual const EvaluatedAhead& ahead(std::size_t stepper) const = 0;
};

/// A stepper that can take steps computed together with those of others of the same method.
class LockstepStepper {
 public:
  virtual ~LockstepStepper() = default;
  /// For models like that of this one, which has not joined yet; null: its slopes are not computed together.
  virtual std::shared_ptr<Lockstep> lockstep() = 0;
  /// Takes steps of what a stepper of this method has made from now on, where there is room and the models differ in
  /// numbers alone. False: they do not, and nothing has changed.
  virtual bool join(const std::shared_ptr<Lockstep>& lockstep) = 0;
};

}  // namespace daelab
