// Whether accelerations and multipliers that are off at the start stay off.
//
// An error dz of what constraints determine is R(infinity) dz after a step of a one-step method for first-order
// systems: stages of Runge-Kutta methods with an invertible A do not take z_n, the step end has z_(n+1) = R(infinity)
// z_n + ...; where the first stage is explicit its slope has z_n, and the others, held by the constraints, make up for
// it, in all -e_s^T A~^-1 a z_n = R(infinity) z_n [HLR89, Chap. 4, 5; HW96, Sec. VII.4]. The same of Rosenbrock methods
// [LR90]. So |R(infinity)| = 1 keeps it for ever, and less lets it decay.
//
// A method that carries the acceleration multiplies an error of it by its root at omega h = 0, and where a constraint
// holds it, omega h = infinity, by rho(infinity) at most.
#pragma once

#include "analysis/method_report.hpp"
#include "analysis/property.hpp"

namespace daelab {

/// Of tableaus, Rosenbrock methods and methods that carry accelerations; for others the reason why nothing is said.
Property sensitive_to_start(const MethodForm& form, const MethodReport& report);

}  // namespace daelab
