// Linear multistep methods: order, zero-stability, A-stability.
//
//   rho(zeta) = sum_j alpha_j zeta^(k-j),  sigma(zeta) = sum_j beta_j zeta^(k-j)
//
// [HNW93] Hairer, Nørsett, Wanner, Solving Ordinary Differential Equations I, 2nd ed., Springer, 1993, Secs. III.2,
//         III.3, III.8.
// [HW96] Hairer, Wanner, Solving Ordinary Differential Equations II, 2nd ed., Springer, 1996, Sec. V.1.
#pragma once

#include <complex>
#include <string>
#include <vector>

#include "analysis/property.hpp"
#include "core/integration/method_form.hpp"

namespace daelab {

struct MultistepOrder {
  int order = 0;
  Real100 error_constant = 0;  // C_(p+1)/sigma(1), with the predictor's share in the mode PECE
  std::string how;
};
/// From the conditions on alpha and beta [HNW93, theorem III.2.4]. In the mode PECE the smaller of the corrector's
/// order and one more than the predictor's [HNW93, Sec. III.8].
MultistepOrder multistep_order(const MultistepForm& form);

/// No root of rho outside the unit circle, those on it simple. Exact where alpha is rational.
Property zero_stable(const MultistepForm& form);

/// Re rho/sigma >= 0 on |zeta| = 1, as a polynomial in cos theta, and all roots at w = -1 inside the circle: then
/// (rho - sigma)/(rho + sigma) has no pole outside and is bounded by one on the circle, so by the maximum principle
/// outside, which says Re rho/sigma >= 0 there. A counterexample names w with Re w < 0 and |zeta| > 1.
Property a_stable(const MultistepForm& form);
/// A-stable, and all roots vanish as w -> -infinity.
Property l_stable(const MultistepForm& form);

/// mu(theta) = rho(zeta)/sigma(zeta), zeta = exp(i theta), theta in [0, pi], so
/// many points: where a root crosses the unit circle. Not for PECE.
std::vector<std::complex<double>> root_locus(const MultistepFormula& formula, int points);

/// The point of the root locus at theta. Not for PECE.
std::complex<double> root_locus_point(const MultistepFormula& formula, double theta);

}  // namespace daelab
