// The diagonal entry of L-stable methods of order 3 with three implicit stages of one diagonal entry.
//
// [Ale77] Alexander, Diagonally implicit Runge-Kutta methods for stiff O.D.E.'s, SIAM J. Numer. Anal. 14, 1977.
#pragma once

#include "core/base/scalar.hpp"

namespace daelab {

/// The root 0.4358... of 6 g^3 - 18 g^2 + 9 g - 1, in 100 digits. [Ale77, Theorem 5]
inline Real100 sdirk_gamma() {
  Real100 g("0.4358665215");
  for (int i = 0; i < 8; ++i) g -= (((6 * g - 18) * g + 9) * g - 1) / ((18 * g - 36) * g + 9);
  return g;
}

}  // namespace daelab
