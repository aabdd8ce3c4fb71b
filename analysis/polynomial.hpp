// Polynomials in one variable over the rationals, or over 100-digit reals with a zero threshold:
// greatest common divisors, Sturm's count of real zeros, Routh's test for the half plane, and what of
// the zeros lies on and outside the unit circle.
//
// x^i is at position i; the last coefficient is not zero; the zero polynomial is empty.
//
// Over the rationals the same is decided with whole numbers (polynomial.cpp): a common divisor of coprime polynomials
// modulo a prime, Sturm's counts by Descartes' rule on bisected intervals, Routh's array by Hurwitz determinants.
// Remainders of dense fractions have thousands of digits, these have not.
//
// Collins, Akritas, Polynomial real root isolation using Descartes' rule of signs, SYMSAC 1976, 272-275; Jeltsch, An
// optimal fraction free Routh array, Int. J. Control 30, 1979, 653-660.
#pragma once

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/exact.hpp"
#include "core/base/interrupted.hpp"
#include "core/base/rational.hpp"

namespace daelab {

template <class T>
using Poly = std::vector<T>;

// What templates below call for fractions; each does what the template of its name does.
Poly<Rational> product(const Poly<Rational>& p, const Poly<Rational>& q);
Poly<Rational> greatest_common_divisor(const Poly<Rational>& p, const Poly<Rational>& q);
std::optional<Rational> negative_point(const Poly<Rational>& p);
std::optional<Rational> first_fall_below_zero(const Poly<Rational>& p);
std::optional<int> zeros_in_right_half_plane(const Poly<Rational>& p);

inline bool is_zero(const Rational& x) { return x == 0; }
inline bool is_zero(const Integer& x) { return x == 0; }
/// Polynomials are scaled to size one before this is asked, and carry more than 90 digits.
inline bool is_zero(const Real100& x) { return abs(x) < Real100("1e-60"); }

template <class T>
int sign(const T& x) {
  if (is_zero(x)) return 0;
  return x < 0 ? -1 : 1;
}

template <class T>
int degree(const Poly<T>& p) {
  return static_cast<int>(p.size()) - 1;
}

template <class T>
Poly<T> trimmed(Poly<T> p) {
  while (!p.empty() && is_zero(p.back())) p.pop_back();
  return p;
}

/// p divided by its largest coefficient in modulus: signs stay.
template <class T>
Poly<T> scaled(Poly<T> p) {
  T size = 0;
  for (const T& a : p) size = std::max(size, T(abs(a)));
  if (size == 0) return {};
  for (T& a : p) a /= size;
  return trimmed(p);
}

template <class T>
T evaluate(const Poly<T>& p, const T& x) {
  T sum = 0;
  for (auto a = p.rbegin(); a != p.rend(); ++a) sum = sum * x + *a;
  return sum;
}

template <class T>
Poly<T> product(const Poly<T>& p, const Poly<T>& q) {
  if (p.empty() || q.empty()) return {};
  Poly<T> result(p.size() + q.size() - 1, T(0));
  for (std::size_t i = 0; i < p.size(); ++i)
    for (std::size_t j = 0; j < q.size(); ++j) result[i + j] += p[i] * q[j];
  return result;
}

template <class T>
Poly<T> difference(Poly<T> p, const Poly<T>& q) {
  p.resize(std::max(p.size(), q.size()), T(0));
  for (std::size_t i = 0; i < q.size(); ++i) p[i] -= q[i];
  return trimmed(p);
}

template <class T>
Poly<T> derivative(const Poly<T>& p) {
  Poly<T> result;
  for (std::size_t i = 1; i < p.size(); ++i) result.push_back(p[i] * static_cast<int>(i));
  return result;
}

/// Quotient and remainder of p by q; q is not zero.
template <class T>
std::pair<Poly<T>, Poly<T>> divided(Poly<T> p, const Poly<T>& q) {
  if (p.size() < q.size()) return {{}, p};
  Poly<T> quotient(p.size() - q.size() + 1, T(0));
  for (std::size_t i = quotient.size(); i-- > 0;) {
    stop_where_interrupted();  // fractions grow: of 200 stages one division takes seconds
    quotient[i] = p[i + q.size() - 1] / q.back();
    for (std::size_t j = 0; j < q.size(); ++j) p[i + j] -= quotient[i] * q[j];
  }
  p.resize(q.size() - 1);
  return {quotient, trimmed(p)};
}

template <class T>
Poly<T> greatest_common_divisor(const Poly<T>& first, const Poly<T>& second) {
  Poly<T> p = scaled(first), q = scaled(second);
  while (!q.empty()) {
    Poly<T> rest = scaled(divided(p, q).second);
    p = std::exchange(q, rest);
  }
  return p;
}

/// Entry m: the product of the factors of p that occur exactly m + 1 times, each once (Yun).
template <class T>
std::vector<Poly<T>> square_free_factors(const Poly<T>& p) {
  const Poly<T> common = greatest_common_divisor(p, derivative(p));
  Poly<T> rest = divided(p, common).first;
  Poly<T> slope = difference(divided(derivative(p), common).first, derivative(rest));
  std::vector<Poly<T>> factors;
  while (degree(rest) > 0) {
    factors.push_back(greatest_common_divisor(rest, slope));
    rest = divided(rest, factors.back()).first;
    slope = difference(divided(slope, factors.back()).first, derivative(rest));
  }
  return factors;
}

/// The product of the factors of p that occur an odd number of times, each once: its real zeros are
/// the places where p changes sign.
template <class T>
Poly<T> odd_part(const Poly<T>& p) {
  const std::vector<Poly<T>> factors = square_free_factors(p);
  Poly<T> odd{T(1)};
  for (std::size_t m = 0; m < factors.size(); m += 2) odd = product(odd, factors[m]);
  return scaled(odd);
}

/// p, p', and the negated remainders, scaled; p without repeated zeros.
template <class T>
std::vector<Poly<T>> sturm_sequence(const Poly<T>& p) {
  std::vector<Poly<T>> sequence{scaled(p), scaled(derivative(p))};
  while (!sequence.back().empty()) {
    Poly<T> next = scaled(divided(sequence[sequence.size() - 2], sequence.back()).second);
    for (T& a : next) a = -a;
    sequence.push_back(next);
  }
  sequence.pop_back();
  return sequence;
}

inline int sign_changes(const std::vector<int>& signs) {
  int changes = 0, last = 0;
  for (const int s : signs) {
    if (s != 0 && last != 0 && s != last) ++changes;
    if (s != 0) last = s;
  }
  return changes;
}

template <class T>
int variations(const std::vector<Poly<T>>& sequence, const T& x) {
  std::vector<int> signs;
  for (const Poly<T>& p : sequence) signs.push_back(sign(evaluate(p, x)));
  return sign_changes(signs);
}

/// A number above every real zero of p (Cauchy's bound).
template <class T>
T zero_bound(const Poly<T>& p) {
  T largest = 0;
  for (const T& a : p) largest = std::max(largest, T(abs(a / p.back())));
  return largest + 1;
}

/// A point x > 0 where p(x) < 0, or nothing if p >= 0 for all x >= 0. Bisection by Sturm's count
/// on the odd part of p.
template <class T>
std::optional<T> negative_point(const Poly<T>& polynomial) {
  Poly<T> p = scaled(polynomial);
  while (!p.empty() && is_zero(p.front())) p.erase(p.begin());  // x^m > 0
  if (p.empty()) return std::nullopt;
  const Poly<T> odd = odd_part(p);
  const auto sequence = sturm_sequence(odd);
  T low = 0, high = zero_bound(odd);
  if (sign(evaluate(p, high)) < 0) return high;
  if (variations(sequence, low) == variations(sequence, high)) return std::nullopt;
  while (true) {  // p changes sign between low and high, and p(high) > 0
    const T middle = (low + high) / 2;
    if (sign(evaluate(p, middle)) < 0) return middle;
    const bool changes_above = variations(sequence, middle) > variations(sequence, high);
    (changes_above ? low : high) = middle;
  }
}

/// The first x >= 0 with p < 0 right of it, to 15 digits; nothing if p >= 0 for all x >= 0.
template <class T>
std::optional<T> first_fall_below_zero(const Poly<T>& polynomial) {
  if (!negative_point(polynomial)) return std::nullopt;
  Poly<T> p = scaled(polynomial);
  while (is_zero(p.front())) p.erase(p.begin());
  if (sign(p.front()) < 0) return T(0);
  const auto sequence = sturm_sequence(odd_part(p));
  const int at_zero = variations(sequence, T(0));
  T low = 0, high = zero_bound(sequence.front());
  const T resolution = T(1) / 1000000000000000;
  while (high - low > resolution * high) {
    const T middle = (low + high) / 2;
    (variations(sequence, middle) == at_zero ? low : high) = middle;
  }
  return low;
}

/// How many zeros have a real part > 0, if Routh's first column holds no zero; p(x) = sum p_i x^i.
template <class T>
std::optional<int> zeros_in_right_half_plane(const Poly<T>& p) {
  std::vector<T> above, row;
  for (int i = degree(p); i >= 0; --i)
    ((degree(p) - i) % 2 == 0 ? above : row).push_back(p[static_cast<std::size_t>(i)]);
  std::vector<int> column{sign(p.back())};
  for (int i = 0; i < degree(p); ++i) {
    if (row.empty() || sign(row[0]) == 0) return std::nullopt;
    column.push_back(sign(row[0]));
    std::vector<T> next;
    for (std::size_t m = 1; m < above.size(); ++m)
      next.push_back(above[m] - (m < row.size() ? T(above[0] / row[0] * row[m]) : T(0)));
    above = std::exchange(row, next);
  }
  return sign_changes(column);
}

/// sum_i p_i a^i b^(n-i), n the degree of p: p(a/b) b^n.
template <class T>
Poly<T> substituted(const Poly<T>& p, const Poly<T>& a, const Poly<T>& b) {
  Poly<T> sum, power{T(1)};  // power of b
  for (auto coefficient = p.rbegin(); coefficient != p.rend(); ++coefficient) {
    sum = product(sum, a);
    sum.resize(std::max(sum.size(), power.size()), T(0));
    for (std::size_t i = 0; i < power.size(); ++i) sum[i] += *coefficient * power[i];
    power = product(power, b);
  }
  return trimmed(sum);
}

/// |p(iy)|^2 as a polynomial in x = y^2: (p_0 - p_2 x + ...)^2 + x (p_1 - p_3 x + ...)^2.
template <class T>
Poly<T> squared_modulus(const Poly<T>& p) {
  Poly<T> even, odd;
  for (std::size_t i = 0; i < p.size(); ++i) (i % 2 == 0 ? even : odd).push_back(i % 4 < 2 ? p[i] : T(-p[i]));
  Poly<T> result = product(even, even);
  Poly<T> shifted = product(odd, odd);
  shifted.insert(shifted.begin(), T(0));
  result.resize(std::max(result.size(), shifted.size()), T(0));
  for (std::size_t i = 0; i < shifted.size(); ++i) result[i] += shifted[i];
  return result;
}

/// Where the zeros of a polynomial lie against the unit circle.
struct CircleZeros {
  int on = 0;  // distinct ones on the circle
  bool repeated_on = false, any_outside = false;
};

/// Of p without repeated zeros. With z = (1 + s)/(1 - s) the circle becomes the imaginary axis; zeros there, and pairs
/// s, -s, are in the common divisor of p(s) and p(-s), which is even except for a zero s = 0: real negative s^2 are on
/// the axis. Routh's test decides the rest; a zero in its first column shows a zero on the right, as none is on the
/// axis.
template <class T>
CircleZeros circle_zeros_of_simple(const Poly<T>& p) {
  const Poly<T> in_s = substituted(p, {T(1), T(1)}, {T(1), T(-1)});
  Poly<T> mirrored = in_s;
  for (std::size_t i = 1; i < mirrored.size(); i += 2) mirrored[i] = -mirrored[i];
  const Poly<T> symmetric = greatest_common_divisor(in_s, mirrored);
  CircleZeros result;
  result.on = degree(p) - degree(in_s);  // z = -1 went to infinity
  const std::size_t at_one = degree(symmetric) % 2 == 1 ? 1 : 0;
  Poly<T> in_square;
  for (std::size_t i = at_one; i < symmetric.size(); i += 2) in_square.push_back(symmetric[i]);
  result.on += static_cast<int>(at_one);
  if (degree(in_square) > 0) {
    const auto sequence = sturm_sequence(in_square);
    const int negative = variations(sequence, T(-zero_bound(in_square))) - variations(sequence, T(0));
    result.on += 2 * negative;
    result.any_outside = negative < degree(in_square);
  }
  const Poly<T> rest = divided(in_s, symmetric).first;
  result.any_outside |= degree(rest) > 0 && zeros_in_right_half_plane(rest) != 0;
  return result;
}

template <class T>
CircleZeros circle_zeros(const Poly<T>& p) {
  CircleZeros result;
  const std::vector<Poly<T>> factors = square_free_factors(trimmed(p));
  for (std::size_t m = 0; m < factors.size(); ++m) {
    if (degree(factors[m]) <= 0) continue;
    const CircleZeros simple = circle_zeros_of_simple(factors[m]);
    result.on += simple.on;
    result.repeated_on |= m > 0 && simple.on > 0;
    result.any_outside |= simple.any_outside;
  }
  return result;
}

}  // namespace daelab
