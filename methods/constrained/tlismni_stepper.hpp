// The two-loop implicit integration of Shabana and Hussein: an implicit formula on independent coordinates alone.
//
// A formula ties positions and velocities of the step end to its accelerations,
//
//   q = q* + c_q a,   v = v* + c_v a,
//
// and an iteration that needs no derivatives of forces finds them. In each of its passes (the outer loop)
//
//   q, v   of the independent coordinates are those of the formula, with the accelerations of the last pass;
//   q      of the dependent ones: Newton's method on C(t, q) = 0 (the inner loop), v: C_q v = -C_t and G = 0;
//   a      and multipliers: [M J^T; J 0] (a, lambda) = (Q, gamma), by the run's multiplier solver,
//
// so that the constraints hold at all three levels in every step. Independent coordinates are chosen at the start of
// each step, by pivots of C_q: those are the best ones there.
//
// The formulas, with h the step and w its ratio to the last one:
//
//   hht          q* + c_q a = q_n + h v_n + h^2 ((1/2 - beta) s_n + beta s),  v* + c_v a = v_n + h ((1 - gamma) s_n +
//                gamma s),  s = (1 - alpha) a + alpha a_n,  gamma = 1/2 + alpha,  beta = (1 + alpha)^2/4
//   trapezoidal  the same with alpha = 0
//   bdf2         y = ((1 + w)^2 y_n - w^2 y_(n-1))/(1 + 2 w) + h (1 + w)/(1 + 2 w) y',  y = (q, v); its first step
//                is one of the trapezoidal rule
//
// s_n lags behind a_n by alpha times the last step; where the step changes, the lag is scaled.
//
// [SH09] Shabana, Hussein, A two-loop sparse matrix numerical integration procedure for the solution of
// differential/algebraic equations: Application to multibody systems, J. Sound Vib. 327, 2009, 557-563.
// [AS15] Aboubakr, Shabana, Efficient and robust implementation of the TLISMNI method, J. Sound Vib. 353, 2015,
// 220-242.
#pragma once

#include "core/integration/method.hpp"

namespace daelab {

enum class TwoLoopFormula { hht, trapezoidal, bdf2 };

struct TwoLoopScheme {
  TwoLoopFormula formula = TwoLoopFormula::hht;
  Real100 alpha = 0;  // of hht
};

/// Of `newton`, norm, tolerance and max_iterations apply to the outer loop, whose corrections are those of (q, v). It
/// contracts where c_q |da/dq| + c_v |da/dv| < 1; where it does not a step fails with newton_diverged, and error
/// control takes a smaller one. Throws NotApplicable for forms other than index 1.
template <class T>
std::unique_ptr<Stepper<T>> make_two_loop(const TwoLoopScheme& scheme, System<T>& system, MechanicalModel<T>& model,
                                          const NewtonOptions& newton);

}  // namespace daelab
