// How many steps of a fixed size an interval takes.
#pragma once

#include <algorithm>
#include <cmath>

namespace daelab {

struct StepPlan {
  long steps;
  bool shortened;  // the last one is: h does not divide the interval, to 1e-9 of it
};

/// Needs length >= 0 and h > 0.
template <class T>
StepPlan plan_steps(const T& length, const T& h) {
  const double count = static_cast<double>(T(length / h));
  const double whole = std::round(count);
  if (std::abs(count - whole) <= 1e-9 * std::max(1.0, whole)) return {static_cast<long>(whole), false};
  return {static_cast<long>(std::ceil(count)), true};
}

}  // namespace daelab
