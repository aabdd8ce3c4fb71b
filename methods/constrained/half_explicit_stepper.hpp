// Half-explicit Runge-Kutta methods: positions and velocities explicit, multipliers implicit, for the velocity level of
// the constraints. With coefficients a_ij and, of the points where the constraints hold, d_ij, for i = 1, ..., s:
//
//   Q_i = q_n + h sum_(j<i) a_ij V_j,    V_i = v_n + h sum_(j<i) a_ij V'_j,
//   q_i = q_n + h sum_(j<=i) d_ij V_j,   v_i = v_n + h sum_(j<=i) d_ij V'_j,
//   M(Q_i) V'_i + C_q(Q_i)^T L_i = Q(Q_i, V_i),   C_q(q_i) v_i + C_t = 0,
//
// and (q_(n+1), v_(n+1)) = (q_s, v_s): each stage is one linear system for (V'_i, L_i), and the step ends on the
// velocity constraints. Positions drift with the global error. In the methods of Brasey and Hairer (q_i, v_i) is
// (Q_(i+1), V_(i+1)) [BH93, (2.1), Sec. 4]; in those with an explicit first stage V'_1 is the acceleration at the start
// [Mur97; Arn98].
//
// The embedded solution is (q_n, v_n) + h times weights of all slopes, with those at both ends of the step, where
// accelerations are known; it takes no further system. Its velocities are off the constraints by an error of its own
// order. The estimate counts that as any other error: a projection would be one system more, and takes nothing away
// from the order of what is left.
//
// Sources: methods/constrained/half_explicit_scheme.hpp.
#pragma once

#include "core/base/once.hpp"
#include "core/integration/method.hpp"
#include "methods/constrained/half_explicit_scheme.hpp"

namespace daelab {

/// All d_ii must be other than 0, except for the first one. Accelerations and multipliers at the step end are those of
/// (q, v). `stability_limit`: real_stability_limit() of the scheme, found once for all steppers. Throws NotApplicable
/// for forms other than index 2 of a mechanical system, and for nonholonomic constraints.
template <class T>
std::unique_ptr<Stepper<T>> make_half_explicit(const HalfExplicitScheme& scheme,
                                               std::shared_ptr<const Once<double>> stability_limit, System<T>& system,
                                               MechanicalModel<T>& model);

}  // namespace daelab
