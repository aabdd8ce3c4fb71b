// Round-off of an implicit step whose stage values Y are fixed by constraints: slopes are B^-1 (Y - e y_n)/h, so
// their corrections and the estimate, weights times slopes, do not become smaller than the round-off of Y behind B^-1,
// however small the step. On index 3 velocities are slopes of the positions that are fixed, which makes B^-2/h of the
// round-off of positions in theirs.
#pragma once

#include <fmt/format.h>

#include <string>

#include "core/integration/constraint_round_off.hpp"
#include "core/integration/step_control.hpp"
#include "methods/runge_kutta/step_end.hpp"

namespace daelab {

template <class T>
class StageRoundOff {
 public:
  StageRoundOff(const Stages& stages, const ErrorFormula& formula, const System<T>& system)
      : system_(system), constant_(Vector<T>::Zero(system.size())) {
    const Index r = stages.c.size();
    const Matrix<double> once = behind_coefficients(stages, Matrix<double>::Identity(r, r)), twice = once * once;
    const auto of_estimate = [&](const Matrix<double>& inverse) {
      const double start = std::abs(static_cast<double>(formula.start_weight));
      const double ends = (formula.weights.cast<double>().transpose() * inverse).cwiseAbs().sum();
      return static_cast<double>(formula.gamma) * (start * inverse.row(r - 1).cwiseAbs().sum() + ends);
    };
    slopes_ = norm_behind_coefficients(stages);
    estimate_ = T(of_estimate(once)), estimate_of_velocities_ = T(of_estimate(twice));
  }

  /// That of the slopes of components near 1, times h, in tolerances.
  double share(double relative_tolerance) const {
    return static_cast<double>(epsilon<T>()) * slopes_ / relative_tolerance;
  }
  std::string warning(double relative_tolerance) const {
    const double part = share(relative_tolerance);
    return fmt::format(
        "round-off of the stages, {:.1e} times as large behind the inverse of the coefficient matrix, "
        "is {:.2g} of what is tolerated: below rtol = {:.0e} steps fail or gain nothing; fewer "
        "stages, or index-1, reach further",
        slopes_, part, part * relative_tolerance);
  }
  /// Whether corrections of the slopes at the iterate Y, of all stages or of one, (N, r), are no larger than round-off
  /// makes them.
  bool explains(const auto& corrections, const auto& Y, const T& h) const {
    return are_round_off(corrections, Y, h, system_, T(slopes_));
  }
  /// What round-off may make of the estimate of a step to y, in the tolerances of `norm`; 0: unknown. On index 3
  /// velocities have theirs, over h, along the constraint forces, which the estimate leaves out. In a step these turn
  /// by h v/q, and so much remains: h cancels.
  double of_estimate(const Vector<T>& y, const ErrorNorm<T>& norm) {
    const bool twice = system_.index() > 2;
    if (twice && system_.positions() == 0) return 0;
    set_round_off(system_, y, estimate_, twice ? estimate_of_velocities_ : estimate_, constant_);
    return static_cast<double>(norm(constant_));
  }

 private:
  const System<T>& system_;
  double slopes_;  // |B^-1|, of slopes times h over that of values
  T estimate_, estimate_of_velocities_;
  Vector<T> constant_;
};

}  // namespace daelab
