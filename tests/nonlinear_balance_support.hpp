// The motion of a bead on a turning rod with Coulomb friction.
#pragma once

#include "analysis/order_estimate.hpp"
#include "tests/linear_algebra_support.hpp"

namespace daelab {

// (x, y, x', y', lambda)
inline Vector<Real50> exact_bead(const Real50& t) {
  const Real50 w = 2, root = sqrt(Real50("1.25")), s1 = w * (root - Real50("0.5")), s2 = -w * (root + Real50("0.5"));
  const Real50 A = (1 - s2) / (s1 - s2), B = (s1 - 1) / (s1 - s2), e1 = A * exp(s1 * t), e2 = B * exp(s2 * t);
  const Real50 radius = e1 + e2, rate = s1 * e1 + s2 * e2, c = cos(w * t), s = sin(w * t);
  return Vector<Real50>{{radius * c, radius * s, rate * c - w * radius * s, rate * s + w * radius * c, -2 * w * rate}};
}

}  // namespace daelab
