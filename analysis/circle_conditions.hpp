// When the modes of the undamped oscillator lie in the unit circle. With z = (1 + s)/(1 - s) they are the zeros of
// a_0 + ... + a_n s^n, n = 2 or 3, and the a_i polynomials in kappa = Omega^2. The zeros have no positive real part
// exactly where all a_i >= 0 and, for n = 3, a_1 a_2 >= a_0 a_3; z = 1 is double where a_0 = a_1 = 0, z = -1 where
// a_n = a_(n-1) = 0, and no others can be with n < 4.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "analysis/mode_polynomial.hpp"

namespace daelab {

/// One positive factor makes all coefficients whole, or at most 1.
inline Rational common_factor(const std::vector<Poly<Rational>>& list) {
  Integer least = 1, common = 0;
  for (const auto& p : list)
    for (const Rational& a : p) least = lcm(least, denominator(a));
  for (const auto& p : list)
    for (const Rational& a : p) common = gcd(common, numerator(Rational(a * least)));
  return {least, common == 0 ? Integer(1) : common};
}

inline Real100 common_factor(const std::vector<Poly<Real100>>& list) {
  Real100 largest = 0;
  for (const auto& p : list)
    for (const Real100& a : p) largest = std::max(largest, Real100(abs(a)));
  return largest == 0 ? Real100(1) : Real100(1 / largest);
}

/// a_i from c_j, with a positive leading coefficient c_n as kappa -> 0, so that all a_i of stable modes are positive.
template <class T>
std::vector<Poly<T>> half_plane_coefficients(const ModePolynomial<T>& c) {
  const int n = degree(c);
  std::vector<Poly<T>> a(c.size());
  for (int j = 0; j <= n; ++j) {
    Poly<T> power{T(1)};  // (1 + s)^j (1 - s)^(n-j)
    for (int i = 0; i < n; ++i) power = product(power, Poly<T>{T(1), T(i < j ? 1 : -1)});
    for (std::size_t i = 0; i < a.size(); ++i)
      a[i] = sum(a[i], product(Poly<T>{power[i]}, c[static_cast<std::size_t>(j)]));
  }
  const auto leading = std::find_if(c.back().begin(), c.back().end(), [](const T& x) { return !is_zero(x); });
  const T factor = common_factor(a) * (leading != c.back().end() && *leading < 0 ? -1 : 1);
  for (auto& p : a)
    for (T& x : p) x *= factor;
  return a;
}

/// The a_i, and by their names the polynomials that have to be nonnegative.
template <class T>
struct CircleConditions {
  std::vector<Poly<T>> a;
  std::vector<std::pair<std::string, Poly<T>>> conditions;
};

template <class T>
CircleConditions<T> circle_conditions(const ModePolynomial<T>& c) {
  CircleConditions<T> result{half_plane_coefficients(c), {}};
  const auto& a = result.a;
  for (std::size_t i = 0; i < a.size(); ++i) result.conditions.emplace_back("a" + std::to_string(i), a[i]);
  if (a.size() == 4)
    result.conditions.emplace_back("a1 a2 - a0 a3", difference(product(a[1], a[2]), product(a[0], a[3])));
  return result;
}

}  // namespace daelab
