// Round-off of BDF steps whose values constraints fix.
#pragma once

#include "core/integration/constraint_round_off.hpp"
#include "core/integration/step_control.hpp"

namespace daelab {

/// That of slopes times h/alpha_0 over that of values: sum |alpha_i|/alpha_0 of the formula of order k for equal steps.
template <class T>
T slope_round_off(int k) {
  T all(0), last(0);
  for (int j = 1; j <= k; ++j) all += T(1 << j) / T(j), last += T(1) / T(j);
  return all / last;
}

/// What it may make of the estimate of order k, `weight` times a difference of order k + 1, in the tolerances of
/// `norm`: the difference adds up 2^(k + 1) values. 0 on index 0 and 1. `work`: (N).
template <class T>
double estimate_from_round_off(const System<T>& system, const Vector<T>& y, int k, double weight,
                               const ErrorNorm<T>& norm, Vector<T>& work) {
  if (system.index() < 2) return 0;
  const T unit = T(weight) * T(2 << k);
  set_round_off(system, y, unit, unit, work);
  return static_cast<double>(norm(work));
}

}  // namespace daelab
