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

/// B-stability: |y_1 - z_1| <= |y_0 - z_0| on every equation with <f(y) - f(z), y - z> <= 0. Algebraic stability
/// implies it, and follows from it where no two nodes are equal [HW96, Sec. IV.12]. In the family of (k, p,
/// q)-algebraic stability of Li (J. Comput. Math. 9, 1991, 97-104) algebraic stability is the case (1, 0, 0).
Property b_stable(const Tableau& tableau, const Property& algebraically_stable);

}  // namespace daelab
