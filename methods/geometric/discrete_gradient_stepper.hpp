// Discrete gradient methods for mechanisms with an energy E = T(t, q, v) + V(t, q): the balance of energy of the
// continuous system holds for each step.
//
// With points 0 and 1, qm = (q0 + q1)/2, vm = (v0 + v1)/2, and a discrete gradient (Dq, Dv) of E at the time tm
// (methods/geometric/discrete_gradients.hpp):
//
//   M(qm) u = Dv,   q1 = q0 + h u,   v1 = v0 + h a,
//   M(qm) a + G^T lambda = Q(qm, u) + E_q(qm, u) - Dq.
//
// Q includes -V_q, and what else is in Q + E_q does no work if the mechanism is conservative: so
// E1 - E0 = h u . (other forces - G^T lambda). For a constant mass matrix and E jointly in (q, v) this is the scheme of
// port-Hamiltonian systems [KMS25], with a gradient of V alone that of [Gon96]. Multipliers do no work, either by
//
//   velocity level:  G(qm) u + C_t = 0, G = C_q(qm) [KMS25], or
//   position level:  C(t1, q1) = 0, with a discrete gradient of C for G [Gon99],
//
// which are the same where C is quadratic. Order 2, symmetric. The velocity constraints hold at the end of a step to
// O(h^2) only. A constraint that depends on time, or an energy that does, does work as in the continuous system.
//
// [Gon96] Gonzalez, Time integration and discrete Hamiltonian systems, J. Nonlinear Sci. 6, 1996, 449-467.
// [Gon99] Gonzalez, Mechanical systems subject to holonomic constraints: differential-algebraic formulations and
//         conservative integration, Physica D 132, 1999, 165-174.
// [KMS25] Kinon, Morandin, Schulze, Discrete gradient methods for port-Hamiltonian differential-algebraic equations,
//         Applied Numerical Mathematics, 2025, doi 10.1016/j.apnum.2025.12.006.
#pragma once

#include "core/integration/method.hpp"
#include "methods/geometric/discrete_gradient_equations.hpp"

namespace daelab {

// In the order of their names in JSON.
enum class StepMultipliers { consistent, step };
std::vector<std::string> names_of(StepMultipliers);

/// Newton's method with the exact Jacobian of each iterate, of the first one where the options name a simplified
/// iteration; linear systems are sparse. Of `newton`, name, test, tolerance and max_iterations apply. Accelerations at
/// the step end are those of (q, v), and so are multipliers unless those of the step are asked for. Throws
/// NotApplicable where the system is not one of index 3 or 2 of a mechanism with an energy, and for what the equations
/// above do not have.
template <class T>
std::unique_ptr<Stepper<T>> make_discrete_gradient(DiscreteGradient gradient, StepMultipliers multipliers,
                                                   System<T>& system, MechanicalModel<T>& model,
                                                   const NewtonOptions& newton);

}  // namespace daelab
