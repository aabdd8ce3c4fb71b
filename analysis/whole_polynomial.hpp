// Whole polynomials for those over the rationals.
#pragma once

#include <utility>

#include "analysis/polynomial.hpp"

namespace daelab {

/// p times its least common denominator, and that.
std::pair<Poly<Integer>, Integer> over_one_denominator(const Poly<Rational>& p);
/// A positive multiple of p without a common divisor.
Poly<Integer> whole(const Poly<Rational>& p);

}  // namespace daelab
