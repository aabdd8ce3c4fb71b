// The stability region of an explicit Runge-Kutta method along the negative real axis: for methods made for it a chain
// of lobes, as many as stages, that damping keeps from pinching.
//
// [HW96] Hairer, Wanner, Solving Ordinary Differential Equations II, 2nd ed., Springer, 1996, Sec. IV.2.
#pragma once

#include <optional>

#include "core/integration/method_form.hpp"

namespace daelab {

struct NegativeAxis {
  int stages = 0;     // degree of R: evaluations a step, without one at its end whose slope is the next step's first
  double length = 0;  // stable on [-length, 0]
  /// Of |R| at its maxima inside, 0 apart; 0 where there is none. Below 1 by the damping.
  double largest = 0;
  /// Half-height of the region at the narrowest of these maxima; the largest half-height on the interval, at minima of
  /// |R|. Both in w; the neck is 0 where there is no maximum, and where the region pinches.
  double neck = 0, lobe = 0;
};

/// To some eight digits: |R| on a grid of 32 points a stage, extrema by Brent's method, heights by bisection. Nothing
/// for methods other than explicit Runge-Kutta, and where no interval is stable.
std::optional<NegativeAxis> negative_axis(const MethodForm& form);

}  // namespace daelab
