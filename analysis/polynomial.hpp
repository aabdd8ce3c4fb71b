// Polynomials in one variable over the rationals, or over 100-digit reals with a zero threshold:
// greatest common divisors, Sturm's count of real zeros, Routh's test for the half plane.
//
// x^i stands at position i; the last coefficient is not zero; the zero polynomial is empty.
#pragma once

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "core/exact.hpp"

namespace daelab {

template <class T>
using Poly = std::vector<T>;

inline bool is_zero(const Rational& x) { return x == 0; }
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
    quotient[i] = p[i + q.size() - 1] / q.back();
    for (std::size_t j = 0; j < q.size(); ++j) p[i + j] -= quotient[i] * q[j];
  }
  p.resize(q.size() - 1);
  return {quotient, trimmed(p)};
}

template <class T>
Poly<T> greatest_common_divisor(Poly<T> p, Poly<T> q) {
  p = scaled(p);
  q = scaled(q);
  while (!q.empty()) {
    Poly<T> rest = scaled(divided(p, q).second);
    p = std::exchange(q, rest);
  }
  return p;
}

/// The product of the factors of p that occur an odd number of times, each once: its real zeros are
/// the places where p changes sign (Yun's square-free factorisation).
template <class T>
Poly<T> odd_part(const Poly<T>& p) {
  const Poly<T> common = greatest_common_divisor(p, derivative(p));
  Poly<T> rest = divided(p, common).first;
  Poly<T> slope = difference(divided(derivative(p), common).first, derivative(rest));
  Poly<T> odd{T(1)};
  for (int multiplicity = 1; degree(rest) > 0; ++multiplicity) {
    const Poly<T> factor = greatest_common_divisor(rest, slope);
    if (multiplicity % 2 == 1) odd = product(odd, factor);
    rest = divided(rest, factor).first;
    slope = difference(divided(slope, factor).first, derivative(rest));
  }
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
std::optional<T> negative_point(Poly<T> p) {
  p = scaled(p);
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

}  // namespace daelab
