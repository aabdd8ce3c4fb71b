// Fractions and quadratic surds, recognised in numbers of 100 digits.
#pragma once

#include <boost/multiprecision/gmp.hpp>
#include <optional>
#include <string>

#include "core/base/real.hpp"

namespace daelab {

/// Whole numbers and fractions of any size, by GMP: common divisors of thousands of digits take it microseconds.
using Integer = boost::multiprecision::mpz_int;
using Rational = boost::multiprecision::mpq_rational;

/// The value, numerator and denominator each rounded to 100 digits.
Real100 decimal(const Rational& x);

/// The fraction whose value is x to within 1e-80 relative, by continued fractions, if its
/// denominator stays below 10^30; otherwise nothing. The result is checked against x.
std::optional<Rational> recover_fraction(const Real100& x);

/// x = (a + b sqrt(D)) / c with whole a, b, c > 0, gcd(a, b, c) = 1, and D > 1 without square
/// factor.
struct QuadraticSurd {
  Integer a, b, c;
  int D = 0;
  /// "(11 - 2 sqrt(2))/24", readable by Exact.
  std::string text() const;
};

/// The irrational number of that form with D <= 200 whose value is x to within 1e-80 (absolute, and
/// relative for |x| > 1), found from an integer relation between 1, x and x^2; otherwise nothing.
std::optional<QuadraticSurd> recover_surd(const Real100& x);

}  // namespace daelab
