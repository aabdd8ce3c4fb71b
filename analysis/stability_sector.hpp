// A(alpha)-stability and stability intervals: how much of the left half plane a method damps.
//
// [HW96] Hairer, Wanner, Solving Ordinary Differential Equations II, 2nd ed., Springer, 1996, Secs. IV.2, V.2.
#pragma once

#include "analysis/stability_polynomial.hpp"

namespace daelab {

/// |zeta| <= 1 in the sector |arg(-w)| <= alpha. 90 degrees: A-stable; nothing where not even the negative real axis is
/// stable.
struct StabilitySector {
  double degrees = 0;       // the largest alpha, rounded down to 0.01 degree or better
  std::string certificate;  // as of Verdict
};

/// By Sturm's theorem on rays of rational slope for R = P/Q with rational coefficients: |P|^2 <= |Q|^2 along the ray and
/// no pole in the sector. Otherwise numerical.
std::optional<StabilitySector> stability_sector(const MethodForm& form);

/// The largest x with |zeta| <= 1 on [-x, 0], and on [-ix, ix]; infinite for A-stable methods, 0 where the interval is a
/// point. Numerical, to `digits` digits.
struct StabilityIntervals {
  double real = 0, imaginary = 0;
  int digits = 8;
};
std::optional<StabilityIntervals> stability_intervals(const MethodForm& form);

}  // namespace daelab
