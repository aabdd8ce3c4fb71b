// Step sizes from error estimates.
//
// [HNW93] Hairer, Nørsett, Wanner, Solving Ordinary Differential Equations I, 2nd ed., Springer.
// [HW96] Hairer, Wanner, Solving Ordinary Differential Equations II, 2nd ed., Springer.
// [SW06] Söderlind, Wang, Adaptive time-stepping and computational stability, J. Comput. Appl. Math. 185, 2006.
#pragma once

#include "core/integration/step_control.hpp"

namespace daelab {

/// The part of the tolerated error that a step aims at: with 0.6, 0.9 of the step size for h^5, explicit pairs of order
/// 8 reject one attempt in four, which cost a whole step each. With less than a quarter steps are shorter for nothing
/// (docs/newton.md).
constexpr double aimed_error = 0.25;

/// Proportional-integral control of an estimate that grows like h^exponent:
///   h_new = h (aimed_error / err)^(3/(5e)) (err_old / aimed_error)^(1/(5e)),  e = exponent,
/// PI.4.2 of [SW06]: fewer rejected steps than with (aimed_error / err)^(1/e) alone, which remains at the first step
/// and after a rejection.
template <class T>
class PiController {
 public:
  /// `exponent`: of h in the estimate; `order`: of the formula, for the record. Growth by less than `hold` is not
  /// taken: the same step size saves a factorisation. [HW96, Sec. IV.8]
  PiController(int exponent, int order, double hold = 1) : exponent_(exponent), order_(order), hold_(hold) {}

  /// The decision on a step of size h with this error (1 is as large as tolerated), the `failures`-th retry of it. What
  /// was known `before` it is completed in `after`. After a retry the step does not grow. An error that is not a number
  /// is passed on.
  StepDecision<T> judge(const T& error, const T& h, int failures, const ControlMemory<T>& before,
                        ControlMemory<T>& after) const;

 private:
  double factor(double error, double error_before, int failures) const;
  int exponent_, order_;
  double hold_;
};

/// A first step for an interval of this length and an estimate that grows like h^exponent: an explicit Euler step of a
/// hundredth of |y| / |y'| shows the second derivative. [HNW93, Sec. II.4]
template <class T>
T starting_step(System<T>& system, ErrorNorm<T> norm, const State<T>& start, const T& length, int exponent);

}  // namespace daelab
