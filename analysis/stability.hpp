// What a Runge-Kutta tableau does to y' = lambda y: the stability function, A- and L-stability.
//
//   R(w) = det(I - w A + w e b^T) / det(I - w A) = P(w) / Q(w),  w = h lambda.
//
// A-stable: E(y) = |Q(iy)|^2 - |P(iy)|^2 >= 0 for all real y, and all zeros of Q have a positive
// real part. L-stable: also R(infinity) = 0. [HW96, Sec. IV.3]
//
// [HW96] Hairer, Wanner, Solving Ordinary Differential Equations II, 2nd ed., Springer, 1996.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "analysis/polynomial.hpp"
#include "analysis/property.hpp"
#include "core/base/once.hpp"
#include "core/integration/tableau.hpp"

namespace daelab {

struct StabilityFunction {
  Poly<Real100> numerator, denominator;  // no common factor, denominator[0] = 1
  /// The same as fractions, when all coefficients are; else empty.
  Poly<Rational> exact_numerator, exact_denominator;
  /// The tableau itself is rational: the fractions are computed. Otherwise they are recovered from
  /// the digits of the coefficients, which they match to 80 places.
  bool from_fractions = false;
  /// Decimals of the tableau's coefficients, if they are rounded: nothing below 10^(2 - digits) is told from zero.
  int digits = 0;

  /// Below it, coefficients of P, Q and E are taken as zero.
  Real100 tolerance() const;
  bool is_rational() const { return !exact_denominator.empty(); }
  /// How proofs about R begin: "exact, in rational arithmetic: ", or what else they rest on.
  std::string evidence() const;
  /// "(60 + 24 w + 3 w^2)/(60 - 36 w + 9 w^2 - w^3)"; irrational coefficients one by one.
  std::string text(const std::string& variable = "w") const;
  /// (k, j) if R is the (k, j)-Padé approximant of exp to 80 digits.
  std::optional<std::pair<int, int>> pade_pair() const;
  /// The limit for w -> infinity; infinite if the numerator has the higher degree.
  Real100 at_infinity() const;
  /// The largest p with R(w) - exp(w) = O(w^(p+1)): no nonlinear order is higher.
  int linear_order() const;
  /// Of a_stable(), which is asked for in many places.
  std::shared_ptr<const Once<Property>> a_stable = std::make_shared<Once<Property>>();
};

/// The last ones of a thread are kept: a report card asks for one in many places.
StabilityFunction stability_function(const Tableau& tableau);

/// Every pole has a positive real part, by Routh-Hurwitz.
Property poles_on_the_right(const StabilityFunction& R);
Property a_stable(const StabilityFunction& R);
Property l_stable(const StabilityFunction& R);
Property stiffly_accurate(const Tableau& tableau);

}  // namespace daelab
