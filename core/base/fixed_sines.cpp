// Angles are reduced by multiples of pi/2 and of 1/128; Taylor's series and the addition theorem give both functions
// with 256 bits behind the point. They are rounded where all numbers within the error bound round alike (Ziv: Fast
// evaluation of elementary mathematical functions with correctly rounded last bit, ACM TOMS 17 (1991)), so that the
// bits are those of any correct rounding.
#include "core/base/fixed_sines.hpp"

#include <cmath>
#include <numbers>

#include "core/base/three_limbs.hpp"

namespace daelab {
namespace {

using three_limbs::DoubleLimb, three_limbs::Limb, three_limbs::multiply_add;

/// A number in [0, 1) in so many limbs, the highest one last; its unit is 2^-64n.
template <std::size_t n>
using Fixed = std::array<Limb, n>;

template <std::size_t n, std::size_t m>
Fixed<n> highest(const Fixed<m>& x) {
  static_assert(n <= m);
  Fixed<n> result;
#pragma GCC unroll 5
  for (std::size_t i = 0; i < n; ++i) result[i] = x[i + m - n];
  return result;
}

/// x y, low by less than n units: products below the limb before the last one are left out, n - 1 of them with carries.
template <std::size_t n>
Fixed<n> operator*(const Fixed<n>& x, const Fixed<n>& y) {
  std::array<Limb, n + 1> sum{};  // from limb n - 1 of the product on
#pragma GCC unroll 5
  for (std::size_t i = 0; i < n; ++i) {
    Limb carry = 0;
#pragma GCC unroll 5
    for (std::size_t j = n - 1 - i; j < n; ++j)
      sum[i + j - n + 1] = multiply_add(x[i], y[j], sum[i + j - n + 1], carry);
    sum[i + 1] = carry;
  }
  return highest<n>(sum);
}

/// x := x + y; returns the carry.
template <std::size_t n>
Limb add(Fixed<n>& x, const Fixed<n>& y) {
  DoubleLimb sum = 0;
#pragma GCC unroll 5
  for (std::size_t i = 0; i < n; ++i) {
    sum = (sum >> 64) + x[i] + y[i];
    x[i] = static_cast<Limb>(sum);
  }
  return static_cast<Limb>(sum >> 64);
}
/// x := x - y; returns the borrow.
template <std::size_t n>
Limb subtract(Fixed<n>& x, const Fixed<n>& y) {
  Limb borrow = 0;
#pragma GCC unroll 5
  for (std::size_t i = 0; i < n; ++i) {
    const DoubleLimb difference = DoubleLimb(x[i]) - y[i] - borrow;
    x[i] = static_cast<Limb>(difference);
    borrow = static_cast<Limb>(difference >> 64) & 1;
  }
  return borrow;
}

template <std::size_t n>
Fixed<n> fixed(Real100 x) {
  Fixed<n> result;
  for (std::size_t i = n; i-- > 0;) {
    x = ldexp(x, 64);
    result[i] = static_cast<Limb>(x);
    x -= result[i];
  }
  return result;
}

/// Constants, each low by less than a unit.
struct Tables {
  static constexpr int table_bits = 7, angles = 202;  // 201/128 < pi/2 < 202/128
  static constexpr int terms = 12;
  Fixed<5> half_pi;                                // less 1
  std::array<Fixed<4>, angles> sine, cosine;       // of k/128; not of 0
  std::array<Fixed<4>, terms> of_sine, of_cosine;  // 1/(2i + 3)!, 1/(2i + 2)!

  Tables() : half_pi(fixed<5>(pi<Real100>() / 2 - 1)), sine{}, cosine{} {
    Real100 step_sine, step_cosine;
    sincos(ldexp(Real100(1), -table_bits), step_sine, step_cosine);
    Real100 s = step_sine, c = step_cosine;
    for (int k = 1; k < angles; ++k) {
      sine[k] = fixed<4>(s), cosine[k] = fixed<4>(c);
      const Real100 next = s * step_cosine + c * step_sine;
      c = c * step_cosine - s * step_sine;
      s = next;
    }
    Real100 inverse = 1;
    for (int i = 0; i < terms; ++i) {
      inverse /= 2 * i + 2;
      of_cosine[i] = fixed<4>(inverse);
      inverse /= 2 * i + 3;
      of_sine[i] = fixed<4>(inverse);
    }
  }
};

/// c_0 - z (c_1 - z (c_2 - ...)) for z < 2^-14: terms that are small beside the unit of the sum are taken with fewer
/// limbs.
Fixed<4> series(const Fixed<4>& z, const std::array<Fixed<4>, Tables::terms>& c) {
  const auto terms = [&]<std::size_t n>(Fixed<n> sum, int from, int to) {
    const Fixed<n> small_z = highest<n>(z);
    for (int i = from; i >= to; --i) {
      Fixed<n> next = highest<n>(c[i]);
      subtract(next, small_z * sum);
      sum = next;
    }
    return sum;
  };
  const Fixed<2> last = terms(highest<2>(c[Tables::terms - 1]), Tables::terms - 2, 9);  // z^9 2^-128 < 2^-254
  const Fixed<3> middle = terms(Fixed<3>{0, last[0], last[1]}, 8, 5);                   // z^5 2^-192 < 2^-262
  return terms(Fixed<4>{0, middle[0], middle[1], middle[2]}, 4, 0);
}

/// |angle| = quarter_turns pi/2 + whole + fraction with 0 <= whole + fraction < pi/2.
struct Reduced {
  Limb quarter_turns;
  Fixed<5> angle;  // the highest limb is before the point
};

Reduced reduce(const three_limbs::Fraction& x, std::int64_t exponent, const Fixed<5>& half_pi) {
  const int shift = static_cast<int>(exponent) + 64, whole = shift / 64, left = shift % 64;
  const std::array<Limb, 3> digits{x.low, x.middle, x.high};
  Fixed<5> angle{};
  for (int i = 0; i < 3; ++i) {
    angle[i + whole] |= digits[i] << left;
    if (i + whole + 1 < 5) angle[i + whole + 1] |= digits[i] >> 1 >> (63 - left);
  }
  // pi/2 has five limbs behind the point: the lowest one is left out of the multiple alone.
  const auto multiple = [&](Limb k) {
    Fixed<5> result;
    Limb carry = 0;
    multiply_add(half_pi[0], k, 0, carry);
    for (int i = 0; i < 4; ++i) result[i] = multiply_add(half_pi[i + 1], k, 0, carry);
    result[4] = carry + k;
    return result;
  };
  auto quarter_turns = static_cast<Limb>(std::ldexp(static_cast<double>(x.high), static_cast<int>(exponent) - 64) *
                                         (2 * std::numbers::inv_pi));
  const Fixed<5> one = multiple(1);
  if (subtract(angle, multiple(quarter_turns)) != 0) {
    add(angle, one);
    --quarter_turns;
  }
  Fixed<5> less = angle;
  if (subtract(less, one) == 0) {
    angle = less;
    ++quarter_turns;
  }
  return {quarter_turns, angle};
}

/// A result in [0, 1) that is known to 2^8 units. Its errors add up to less than 2^6: 4 units of the reduced angle, 4
/// of each product, one of each series and each constant.
struct Approximation {
  Fixed<4> value;
  bool is_known = true;

  /// Shifted up to its first bit, when all numbers within the error round alike.
  bool normalise(std::int64_t& exponent, three_limbs::Fraction& digits) const {
    if (!is_known || value[3] == 0) return false;
    const int up = std::countl_zero(value[3]), down = 63 - up;
    const auto limb = [&](int i) { return value[i] << up | value[i - 1] >> 1 >> down; };
    exponent = -up;
    digits = {limb(1), limb(2), limb(3)};
    constexpr Limb below = (Limb(1) << three_limbs::spare) - 1;
    const DoubleLimb rest = DoubleLimb(digits.low & below) << 64 | value[0] << up;
    constexpr DoubleLimb half = DoubleLimb(1) << (63 + three_limbs::spare);
    const DoubleLimb error = DoubleLimb(1) << (8 + up);
    return rest > half ? rest - half > error : half - rest > error;
  }
};

}  // namespace

bool fixed_sine_and_cosine(const Real50& angle, Real50& sine, Real50& cosine) {
  const std::int64_t exponent = MpfrAccess::exponent(angle);
  if (exponent <= -64 || exponent > 32) return false;  // special values have other codes
  static const Tables tables;
  const auto [quarter_turns, whole] = reduce(three_limbs::fraction(angle), exponent, tables.half_pi);

  constexpr int below = 64 - Tables::table_bits;
  const auto k = static_cast<std::size_t>(whole[4] << Tables::table_bits | whole[3] >> below);
  const Fixed<4> rest{whole[0], whole[1], whole[2], whole[3] & ((Limb(1) << below) - 1)};
  const Fixed<4> square = rest * rest;
  Fixed<4> small_sine = rest;  // of the rest, and 1 - its cosine
  subtract(small_sine, rest * (square * series(square, tables.of_sine)));
  const Fixed<4> small_versine = square * series(square, tables.of_cosine);

  Approximation s{small_sine}, c{Fixed<4>{}};
  if (k == 0) {
    subtract(c.value, small_versine);  // 1 - versine, where 1 is 0 with a borrow
  } else {
    s.value = tables.sine[k], c.value = tables.cosine[k];
    add(s.value, tables.cosine[k] * small_sine);
    subtract(s.value, tables.sine[k] * small_versine);
    Fixed<4> less = tables.cosine[k] * small_versine;
    add(less, tables.sine[k] * small_sine);
    c.is_known = subtract(c.value, less) == 0;
  }
  std::int64_t s_exponent = 0, c_exponent = 0;
  three_limbs::Fraction s_digits{}, c_digits{};
  if (!s.normalise(s_exponent, s_digits) || !c.normalise(c_exponent, c_digits)) return false;

  const int sign = MpfrAccess::sign(angle);
  const bool exchange = quarter_turns % 2 != 0, sine_falls = quarter_turns % 4 >= 2;
  const bool cosine_is_negative = quarter_turns % 4 == 1 || quarter_turns % 4 == 2;
  Real50& of_s = exchange ? cosine : sine;
  Real50& of_c = exchange ? sine : cosine;
  const int sine_sign = sine_falls ? -sign : sign, cosine_sign = cosine_is_negative ? -1 : 1;
  three_limbs::store(of_s, exchange ? cosine_sign : sine_sign, s_exponent, s_digits, true);
  three_limbs::store(of_c, exchange ? sine_sign : cosine_sign, c_exponent, c_digits, true);
  return true;
}

}  // namespace daelab
