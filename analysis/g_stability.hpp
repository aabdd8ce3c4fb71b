// G-stability of the one-leg method that belongs to a linear multistep formula: contractive on every nonlinear equation
// with <f(y) - f(z), y - z> <= 0 in the norm of G, |Y|_G^2 = sum_ij g_ij <y_(n+i), y_(n+j)>.
//
//   (rho(zeta) sigma(omega) + rho(omega) sigma(zeta)) / 2 = (zeta omega - 1) sum_ij g_ij zeta^i omega^j
//                                                           + a(zeta) a(omega),   G positive definite
//
// [Dah78] Dahlquist, BIT 18, 1978, 384-401: such a G exists exactly where the formula is A-stable.
// [HW96] Hairer, Wanner, Solving Ordinary Differential Equations II, 2nd ed., Springer, 1996, Sec. V.6.
#pragma once

#include "analysis/property.hpp"
#include "core/integration/method_form.hpp"

namespace daelab {

/// The proof gives G, oldest value first, whose identity and pivots are verified: exact where alpha and beta are
/// rational and a(zeta) is a multiple of (zeta - 1)^m (zeta + 1)^n, in 100 digits where a factor of degree 1 is left.
/// With more left it is Dahlquist's theorem alone.
Property g_stable(const MultistepForm& form);

}  // namespace daelab
