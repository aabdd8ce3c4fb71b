// Algebraic stability of Runge-Kutta methods, which is B-stability for methods without equal stages:
//
//   b_i >= 0,  M = B A + A^T B - b b^T positive semidefinite,  B = diag(b).             [HW96, Def. IV.12.5]
//
// [HW96] Hairer, Wanner, Solving Ordinary Differential Equations II, 2nd ed., Springer, 1996, Sec. IV.12.
#pragma once

#include "analysis/property.hpp"
#include "core/integration/tableau.hpp"

namespace daelab {

/// Exact for rational tableaus. The proof of a refusal names the negative weight, or a vector x with x^T M x < 0.
Property algebraically_stable(const Tableau& tableau);

}  // namespace daelab
