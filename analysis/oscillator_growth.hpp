// On which steps the modes of the undamped oscillator grow, and how fast.
#pragma once

#include <string>
#include <vector>

#include "core/integration/method_form.hpp"

namespace daelab {

struct OscillatorGrowth {
  struct Interval {
    double from = 0, to = 0;  // omega h, exact ends rounded
  };
  std::vector<Interval> intervals;  // in which the spectral radius exceeds 1; empty: nowhere
  double largest_radius = 1, at = 0;
  bool is_limit = false;  // the largest one is approached as omega h -> infinity
  std::string proof;      // of the intervals

  /// The largest omega h of growing modes; 0 if no mode grows.
  double up_to() const { return intervals.empty() ? 0 : intervals.back().to; }
};

/// For forms of fractions. The ends of the intervals are zeros of the circle conditions (Sturm sequences); the largest
/// radius is found in double.
OscillatorGrowth oscillator_growth(const OscillatorForm& form);

}  // namespace daelab
