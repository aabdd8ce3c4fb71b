// Stiff stability of linear multistep formulas: stable for all w with Re w <= -D, and accurate near 0.
//
// [Gea71] Gear, Numerical Initial Value Problems in Ordinary Differential Equations, Prentice-Hall, 1971, Sec. 11.1.
#pragma once

#include <optional>
#include <string>

#include "core/base/json.hpp"
#include "core/integration/method_form.hpp"

namespace daelab {

/// Left of the imaginary axis modes grow only within -D < Re w < 0 and theta_from < |Im w| < theta_to: the box around
/// what the root locus leaves of the left half plane. All are 0 for A-stable formulas.
struct StiffStability {
  double D = 0, theta_from = 0, theta_to = 0;
  std::string proof;  // as of Property
};

/// Nothing where the formula is not stiffly stable: a mode grows as w -> -infinity, or at w = 0. Any
/// formula of order 1 is accurate near 0. D to 8 digits, of the root locus on a grid and by Brent's method.
std::optional<StiffStability> stiff_stability(const MethodForm& form);

inline void to_json(Json& json, const StiffStability& s) {
  json = {{"D", s.D}, {"theta_from", s.theta_from}, {"theta_to", s.theta_to}, {"proof", s.proof}};
}
inline void from_json(const Json& json, StiffStability& s) {
  s = {json.at("D"), json.at("theta_from"), json.at("theta_to"), json.at("proof")};
}

}  // namespace daelab
