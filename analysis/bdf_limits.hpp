// How fast the step of a BDF may grow, and where the formula is unstable on the imaginary axis: what the growth caps
// and the instability test of order selection rest on.
//
// [Ren20] Ren, Zhou, Journal of Dynamics and Control, 2020, doi 10.6052/1672-6553-2020-098.
#pragma once

#include <optional>

namespace daelab {

struct BdfLimits {
  int order = 1;
  /// Steps that grow by a constant ratio stay zero-stable below this one; nothing for order 1. Numerical, to 1e-10.
  std::optional<double> growth_bound;

  /// On y' = i omega y with constant steps; nothing where the formula damps every frequency.
  struct Instability {
    double from = 0, to = 0;      // omega h between which solutions grow, to 1e-6
    double growth = 1, at = 0;    // the largest factor per step, and its omega h
    double difference_ratio = 0;  // |nabla^(k+1)| / |nabla^k| = |1 - 1/zeta| of the growing mode at `to`
  };
  std::optional<Instability> instability;
};

/// Order 1 to 5. Roots of the characteristic polynomials by eigenvalues of companion matrices, in double.
BdfLimits bdf_limits(int order);

}  // namespace daelab
