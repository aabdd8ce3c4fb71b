// Sine and cosine of numbers of 50 digits by fixed-point arithmetic, with MPFR's bits.
#pragma once

#include "core/base/real.hpp"

namespace daelab {

/// Sets both, correctly rounded, and returns true; false, and nothing set, where this way cannot tell how a result is
/// rounded: next to multiples of pi/2 and to halves of the last bit, for angles of 2^32 and more, below 2^-64, infinite
/// or NaN. The results may be the angle.
bool fixed_sine_and_cosine(const Real50& angle, Real50& sine, Real50& cosine);

}  // namespace daelab
