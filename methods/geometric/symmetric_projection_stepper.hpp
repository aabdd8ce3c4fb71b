// Symmetric projection of a step onto the constraints. [Hai00], [HLW06, Sec. V.4.1]
//
// With W(q) = M^-1 C_q^T and a symmetric method Phi on index 1,
//
//   q~_n = q_n + W_n mu,  v~_n = v_n + W_n nu,   (q^, v^) = Phi_h(q~_n, v~_n),
//   q_(n+1) = q^ + W_(n+1) mu,  v_(n+1) = v^ + W_(n+1) nu,   C(q_(n+1)) = 0,  C_q v_(n+1) + C_t = 0.
//
// The same multipliers before and after: so a step is symmetric, which a projection of its end alone is not. mu and nu
// are of the size of the error of Phi, and the order is that of Phi. A nonholonomic constraint has G_v for C_q, and a
// nu alone.
//
// [Hai00] Hairer, Symmetric projection methods for differential equations on manifolds, BIT 40, 2000, 726-734.
// [HLW06] Hairer, Lubich, Wanner, Geometric Numerical Integration, 2nd ed., Springer, 2006.
#pragma once

#include "core/integration/method.hpp"

namespace daelab {

/// A fixed-point iteration on mu and nu down to round-off, each pass a step of the base; of `newton` tolerance and
/// max_iterations apply to it. `base`: a stepper with fixed steps on the same system. Throws NotApplicable for other
/// forms than index 1, for dependent constraints and for mechanisms that are too large for dense matrices.
template <class T>
std::unique_ptr<Stepper<T>> make_symmetric_projection(std::unique_ptr<Stepper<T>> base, System<T>& system,
                                                      MechanicalModel<T>& model, const NewtonOptions& newton);

}  // namespace daelab
