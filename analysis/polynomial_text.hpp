// Polynomials and numbers as text, and between fractions and 100 digits.
#pragma once

#include <string>

#include "analysis/polynomial.hpp"

namespace daelab {

inline Real100 decimal(const Real100& x) { return x; }
Poly<Real100> decimals(const Poly<Rational>& p);

/// All coefficients as fractions (recover_fraction), or empty.
Poly<Rational> fractions(const Poly<Real100>& p);

/// "(-3 y^4 + y^6)/36"; irrational coefficients one by one.
std::string polynomial_text(const Poly<Rational>& p, const std::string& variable);
std::string polynomial_text(const Poly<Real100>& p, const std::string& variable);

/// "(60 + 24 w + 3 w^2)/(60 - 36 w + 9 w^2 - w^3)": whole coefficients without a common divisor.
std::string quotient_text(const Poly<Rational>& p, const Poly<Rational>& q, const std::string& variable);
std::string quotient_text(const Poly<Real100>& p, const Poly<Real100>& q, const std::string& variable);

}  // namespace daelab
