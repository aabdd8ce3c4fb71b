// The symmetric rank-one method with line search for A x = b, A symmetric positive semidefinite:
//
//   d_k = -H_k r_k,  alpha_k = -(d_k^T r_k) / (d_k^T A d_k),  s_k = alpha_k d_k,  x_(k+1) = x_k + s_k,
//   H_(k+1) = H_k + w_k w_k^T / (w_k^T y_k),  w_k = s_k - H_k y_k,  y_k = A s_k            [Iv23, section 2, (10)]
//
// from x_0 = 0. alpha_k is where x^T A x / 2 - b^T x is least along d_k. [Iv23] compares its own iteration, whose steps
// have alpha = 1 (core/solvers/sr1.hpp), with this one: fewer products, one step more.
//
// [Iv23] Ivanov, Vestnik Permskogo Universiteta, Matematika Mekhanika Informatika 1(60), 2023, 30-46.
#pragma once

#include "core/base/exact.hpp"
#include "core/solvers/linear_problem.hpp"

namespace daelab {

struct ClassicalSr1 {
  bool converged = false;  // |A x - b| <= eps_abs
  int steps = 0;           // changes of x
  int products = 0;        // of H or A with a vector; none follows the last step but A s
};

/// From H_0 = A0^+, at most `max_steps`. H is left as it is where w^T y is zero.
template <class T>
ClassicalSr1 classical_sr1(const LinearSystem<T>& system, const Exact& eps_abs, int max_steps);

}  // namespace daelab
