// A(alpha)-stability and stability intervals: how much of the left half plane a method damps.
//
// [HW96] Hairer, Wanner, Solving Ordinary Differential Equations II, 2nd ed., Springer, 1996, Secs. IV.2, IV.3, V.2.
#pragma once

#include "analysis/stability_polynomial.hpp"

namespace daelab {

/// |zeta| <= 1 in the sector |arg(-w)| <= alpha. 90 degrees: A-stable; nothing where not even the negative real axis is
/// stable.
struct StabilitySector {
  double degrees = 0;  // the largest alpha, rounded down to 0.01 degree or better
  std::string proof;   // as of Property
};

/// Runge-Kutta: |P|^2 <= |Q|^2 along rays of rational slope, by Sturm's theorem, and no pole in the sector: R is
/// bounded by one on the border of the sector and at infinity, so by the maximum principle inside; exact where R = P/Q
/// has rational coefficients. Multistep: numerical, the point of the root locus in the left half plane whose argument
/// is nearest to that of the negative axis.
std::optional<StabilitySector> stability_sector(const MethodForm& form);

inline void to_json(Json& json, const StabilitySector& sector) {
  json = {{"degrees", sector.degrees}, {"proof", sector.proof}};
}
inline void from_json(const Json& json, StabilitySector& sector) { sector = {json.at("degrees"), json.at("proof")}; }

/// The largest x with |zeta| <= 1 on [-x, 0], and on [-ix, ix]; infinite for A-stable methods, 0 where the interval is
/// a point. To `digits` digits. Runge-Kutta up to degree 20: the first change of sign of |Q|^2 - |P|^2, by Sturm's
/// theorem. Others: a root is outside where |zeta| > 1 + 1e-10, on a grid of ratio 1.01 and then by bisection; close to
/// w = 0 the series of the principal root decides, whose |zeta| - 1 on the imaginary axis is too small for a grid.
struct StabilityIntervals {
  double real = 0, imaginary = 0;
  int digits = 8;
};
std::optional<StabilityIntervals> stability_intervals(const MethodForm& form);

}  // namespace daelab
