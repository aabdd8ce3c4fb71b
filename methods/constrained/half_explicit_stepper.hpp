// Half-explicit Runge-Kutta methods: positions and velocities explicit, multipliers implicit, for the velocity level of
// the constraints. With a_(s+1,j) = b_j and c_(s+1) = 1, for i = 1, ..., s:
//
//   Q_(i+1) = q_n + h sum_(j<=i) a_(i+1,j) V_j,   V_(i+1) = v_n + h sum_(j<=i) a_(i+1,j) V'_j,
//   M(Q_i) V'_i + C_q(Q_i)^T L_i = Q(Q_i, V_i),   C_q(Q_(i+1)) V_(i+1) + C_t = 0,
//
// and (q_(n+1), v_(n+1)) = (Q_(s+1), V_(s+1)): each stage is one linear system for (V'_i, L_i), and the step ends on
// the velocity constraints. Positions drift with the global error.                                [BH93, (2.1), Sec. 4]
//
// [BH93] Brasey, Hairer, Half-explicit Runge-Kutta methods for differential-algebraic systems of index 2,
//        SIAM J. Numer. Anal. 30(2), 1993, 538-552.
#pragma once

#include "core/integration/method.hpp"

namespace daelab {

/// All a_(i+1,i) of the explicit tableau and its last weight must be other than 0. Accelerations and multipliers at the
/// step end are those of (q, v). As many linear systems a step as stages, and one. Fixed steps only. Throws
/// NotApplicable for forms other than index 2 of a mechanical system, and for nonholonomic constraints.
template <class T>
std::unique_ptr<Stepper<T>> make_half_explicit(const Tableau& tableau, System<T>& system, MechanicalModel<T>& model);

}  // namespace daelab
