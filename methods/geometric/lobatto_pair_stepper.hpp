// Lobatto IIIA-IIIB pairs for holonomic mechanisms, which impose the position and the velocity level of the constraints
// [Jay96]: s stages, order 2s - 2. With M A_i + C_q^T L_i = Q at (t_i, Q_i, V_i), i = 1, ..., s:
//
//   Q_i = q_n + h sum_j a_ij V_j,   V_i = v_n + h sum_j â_ij A_j,   C(t_i, Q_i) = 0 for i > 1,
//   q_(n+1) = Q_s,   v_(n+1) = v_n + h sum_j b_j A_j,   C_q v_(n+1) + C_t = 0.
//
// Q_1 = q_n, and the last column of â is zero: L_s enters v_(n+1) alone. Two stages are RATTLE [And83]. If M is
// constant and forces have a potential, a step is symplectic; with any M and forces it is symmetric, for M acts at each
// stage as the acceleration that it gives.
//
// SHAKE [RCB77] imposes positions only. Its velocity is the difference (q_(n+2) - q_n)/(2h) of the positions before and
// after, so that the last equation is C(t_n + 2h, q_(n+1) + h v_(n+1) + h^2 A_s/2) = 0 instead.
//
// [And83] Andersen, Rattle: a "velocity" version of the Shake algorithm, Journal of Computational Physics 52, 1983,
//         24-34.
// [Jay96] Jay, Symplectic partitioned Runge-Kutta methods for constrained Hamiltonian systems, SIAM J. Numer. Anal.
//         33(1), 1996, 368-387.
// [LS94] Leimkuhler, Skeel, Symplectic numerical integrators in constrained Hamiltonian systems, Journal of
//        Computational Physics 112, 1994, 117-125.
// [RCB77] Ryckaert, Ciccotti, Berendsen, Numerical integration of the Cartesian equations of motion of a system with
//         constraints, Journal of Computational Physics 23, 1977, 327-341.
#pragma once

#include "core/integration/method.hpp"

namespace daelab {

/// What the last multipliers of a step satisfy.
enum class LastConstraint { velocities, next_positions };

struct LobattoPair {
  Vector<Real100> b, c;          // (s)
  Matrix<Real100> A, conjugate;  // (s, s): a and â
  LastConstraint last = LastConstraint::velocities;

  Index stages() const { return b.size(); }
};

/// Of s stages, 2 and more. â_ij = b_j - b_j a_ji / b_i.
LobattoPair lobatto_pair(int s);

/// Newton's method on all A_i and L_i with one Jacobian a step, or, with `full`, one an iteration; the linear systems
/// are sparse. Of `newton`, name, test, tolerance and max_iterations apply; sizes of corrections are h^2 times those of
/// accelerations, relative to 1 + |q|. Accelerations and multipliers at the step end are those of (q, v). Throws
/// NotApplicable for forms other than index 3 of a mechanical system, and for nonholonomic and dependent constraints.
template <class T>
std::unique_ptr<Stepper<T>> make_lobatto_pair(const LobattoPair& pair, System<T>& system, MechanicalModel<T>& model,
                                              const NewtonOptions& newton);

}  // namespace daelab
