// How fast the step of a BDF may grow, and where the formula is unstable on the imaginary axis: what the growth caps
// and the instability test of order selection rest on.
//
// [Ren20] Ren, Zhou, Journal of Dynamics and Control, 2020, doi 10.6052/1672-6553-2020-098.
#pragma once

#include <optional>

namespace daelab {

/// How a formula is unstable on y' = i omega y with constant steps. The ratio is that of the differences,
/// |nabla^(k+1)| / |nabla^k| = |1 - 1/zeta|, of the mode zeta that decays least.
struct BdfInstability {
  double from = 0, to = 0;              // omega h between which solutions grow, to round-off
  double growth = 1, at = 0;            // the largest factor per step, and its omega h
  double ratio_from = 0, ratio_to = 0;  // of the differences at both ends
};

struct BdfLimits {
  int order = 1;
  /// Steps that grow by a constant ratio stay zero-stable below this one; nothing for order 1. Numerical, to 1e-10.
  std::optional<double> growth_bound;
  std::optional<BdfInstability> instability;  // nothing where the formula damps every frequency
};

/// Order 1 to 6. Roots of the characteristic polynomials by eigenvalues of companion matrices, in double.
BdfLimits bdf_limits(int order);

/// What a test misses that calls the formula unstable when the ratio of differences reaches s_k. [Ren20, table 2]
struct InstabilityTest {
  double from = 0;           // omega h from which on it sees the growing mode, to 1e-8
  double missed_growth = 1;  // the largest factor per step below that
};
/// For orders 3 to 5. A threshold above ratio_to misses all of it.
InstabilityTest instability_test(int order, double threshold);

}  // namespace daelab
