// Sums, differences and products of numbers of three limbs, rounded to nearest, halves to even: numbers of 50 digits.
//
// Correct rounding leaves no choice, so the bits are MPFR's. Its calls look up the size of their arguments,
// thread-local limits of exponents and flags, which takes as long as the arithmetic. What is not an ordinary number is
// left to MPFR.
#pragma once

#include "core/base/mpfr_view.hpp"

namespace daelab::three_limbs {

__extension__ using DoubleLimb = unsigned __int128;
using Limb = std::uint64_t;

constexpr int bits = Real50::bits, spare = 192 - bits;
static_assert(Real50::limbs == 3 && spare >= 3 && spare < 64,
              "below the last bit that counts, a sum needs a bit to round by and one to be shifted up");

/// 0.high middle low: the value of a number over two to its exponent.
struct Fraction {
  Limb low, middle, high;
  bool operator==(const Fraction&) const = default;
};
inline Fraction fraction(const Real50& x) {
  const auto& limb = MpfrAccess::limbs(x);
  return {limb[0], limb[1], limb[2]};
}
inline bool smaller(const Fraction& a, const Fraction& b) {
  if (a.high != b.high) return a.high < b.high;
  return a.middle != b.middle ? a.middle < b.middle : a.low < b.low;
}

/// Neither zero nor infinite nor NaN, whose codes are no exponents, nor near the ends of the range.
inline bool is_ordinary(const Real50& x) {
  constexpr std::int64_t limit = std::int64_t(1) << 28;
  static_assert(2 * limit < std::numeric_limits<Real50>::max_exponent);
  return static_cast<Limb>(MpfrAccess::exponent(x) + limit) < static_cast<Limb>(2 * limit);
}

/// result := sign x 2^exponent, rounded; `more`: x goes on below its limbs.
inline void store(Real50& result, int sign, std::int64_t exponent, const Fraction& x, bool more) {
  constexpr Limb unit = Limb(1) << spare, half = unit / 2;
  const Limb rest = x.low & (unit - 1);
  const bool breaks_tie = more || (x.low & unit) != 0;
  const DoubleLimb up = rest + breaks_tie > half ? unit : 0;
  const DoubleLimb lower = (DoubleLimb(x.middle) << 64 | (x.low - rest)) + up;
  Limb high = x.high + (lower < up);
  if (high == 0) [[unlikely]] {
    high = Limb(1) << 63;
    ++exponent;
  }
  MpfrAccess::exponent(result) = exponent;
  MpfrAccess::sign(result) = sign;
  auto& limb = MpfrAccess::limbs(result);
  limb[0] = static_cast<Limb>(lower);
  limb[1] = static_cast<Limb>(lower >> 64);
  limb[2] = high;
}

/// x := x 2^-shift for 0 <= shift < 192; returns whether bits that were set fell out.
inline bool shift_right(Fraction& x, Limb shift) {
  Limb lost = 0;
  if (shift >= 64) {
    lost = x.low;
    x = {x.middle, x.high, 0};
  }
  if (shift >= 128) {
    lost |= x.low;
    x = {x.middle, 0, 0};
  }
  const Limb part = shift % 64, left = 63 - part;
  lost |= x.low << 1 << left;
  x.low = x.low >> part | x.middle << 1 << left;
  x.middle = x.middle >> part | x.high << 1 << left;
  x.high >>= part;
  return lost != 0;
}

/// result := sign (|a| + |b|), where a has no smaller exponent.
inline void store_sum(Real50& result, int sign, const Real50& a, const Real50& b) {
  const std::int64_t exponent = MpfrAccess::exponent(a);
  const Limb distance = static_cast<Limb>(exponent - MpfrAccess::exponent(b));
  const Fraction x = fraction(a);
  if (distance >= bits + 2) return store(result, sign, exponent, x, false);
  Fraction y = fraction(b);
  bool more = shift_right(y, distance);
  const DoubleLimb x_lower = DoubleLimb(x.middle) << 64 | x.low;
  const DoubleLimb lower = (DoubleLimb(y.middle) << 64 | y.low) + x_lower;
  const DoubleLimb upper = DoubleLimb(x.high) + y.high + (lower < x_lower);
  Fraction sum{static_cast<Limb>(lower), static_cast<Limb>(lower >> 64), static_cast<Limb>(upper)};
  const Limb carry = static_cast<Limb>(upper >> 64);
  more = more || (sum.low & carry) != 0;
  sum.low = sum.low >> carry | (sum.middle & carry) << 63;
  sum.middle = sum.middle >> carry | (sum.high & carry) << 63;
  sum.high = sum.high >> carry | carry << 63;
  store(result, sign, exponent + static_cast<std::int64_t>(carry), sum, more);
}

/// result := sign (|a| - |b|), where |a| > |b|. Bits of b that fall out take a part of a unit of the lowest limb. Where
/// there are any, the difference is shifted up by a bit at most, and that part stays below the bit to round by.
inline void store_difference(Real50& result, int sign, const Real50& a, const Real50& b) {
  std::int64_t exponent = MpfrAccess::exponent(a);
  const Limb distance = static_cast<Limb>(exponent - MpfrAccess::exponent(b));
  Fraction x = fraction(a);
  if (distance >= bits + 2) return store(result, sign, exponent, x, false);
  Fraction y = fraction(b);
  const bool more = shift_right(y, distance);
  const DoubleLimb x_lower = DoubleLimb(x.middle) << 64 | x.low, y_lower = DoubleLimb(y.middle) << 64 | y.low;
  const DoubleLimb lower = x_lower - y_lower;
  x.high -= y.high + (x_lower < y_lower) + (lower < DoubleLimb(more));
  x.low = static_cast<Limb>(lower - more);
  x.middle = static_cast<Limb>((lower - more) >> 64);
  while (x.high == 0) {
    x = {0, x.low, x.middle};
    exponent -= 64;
  }
  const int up = std::countl_zero(x.high), down = 63 - up;
  x.high = x.high << up | x.middle >> 1 >> down;
  x.middle = x.middle << up | x.low >> 1 >> down;
  x.low <<= up;
  store(result, sign, exponent - up, x, more);
}

/// result := a + b, where b has the sign b_sign; false: left to MPFR. The result may be an argument, here and below.
inline bool add(Real50& result, const Real50& a, const Real50& b, int b_sign) {
  if (!is_ordinary(a) || !is_ordinary(b)) return false;
  const int a_sign = MpfrAccess::sign(a);
  const std::int64_t a_exponent = MpfrAccess::exponent(a), b_exponent = MpfrAccess::exponent(b);
  bool exchange = a_exponent < b_exponent;
  if (a_sign == b_sign) {
    store_sum(result, a_sign, exchange ? b : a, exchange ? a : b);
    return true;
  }
  if (a_exponent == b_exponent) {
    const Fraction x = fraction(a), y = fraction(b);
    if (x == y) {
      result = Real50();
      return true;
    }
    exchange = smaller(x, y);
  }
  store_difference(result, exchange ? b_sign : a_sign, exchange ? b : a, exchange ? a : b);
  return true;
}
inline bool add(Real50& result, const Real50& a, const Real50& b) { return add(result, a, b, MpfrAccess::sign(b)); }
inline bool subtract(Real50& result, const Real50& a, const Real50& b) {
  return add(result, a, b, -MpfrAccess::sign(b));
}

/// A limb of x y + addend + carry; the next one is the carry.
inline Limb multiply_add(Limb x, Limb y, Limb addend, Limb& carry) {
  const DoubleLimb sum = DoubleLimb(x) * y + addend + carry;
  carry = static_cast<Limb>(sum >> 64);
  return static_cast<Limb>(sum);
}

/// result := a b; false: left to MPFR.
inline bool multiply(Real50& result, const Real50& a, const Real50& b) {
  if (!is_ordinary(a) || !is_ordinary(b)) return false;
  const Fraction x = fraction(a), y = fraction(b);
  Limb c0 = 0, c1 = 0, c2 = 0;
  Limb p0 = multiply_add(x.low, y.low, 0, c0);
  Limb p1 = multiply_add(x.low, y.middle, 0, c0);
  Limb p2 = multiply_add(x.low, y.high, 0, c0);
  p1 = multiply_add(x.middle, y.low, p1, c1);
  p2 = multiply_add(x.middle, y.middle, p2, c1);
  Limb p3 = multiply_add(x.middle, y.high, c0, c1);
  p2 = multiply_add(x.high, y.low, p2, c2);
  p3 = multiply_add(x.high, y.middle, p3, c2);
  Limb p4 = multiply_add(x.high, y.high, c1, c2);
  Limb p5 = c2;
  const Limb up = 1 - (p5 >> 63), mask = 0 - up;  // the product of two numbers in [1/2, 1) is at least 1/4
  p5 = p5 << up | (p4 & mask) >> 63;
  p4 = p4 << up | (p3 & mask) >> 63;
  p3 = p3 << up | (p2 & mask) >> 63;
  // The highest bit of p2 may be in p3 now: then it is one below the bit to round by, and counts as `more` as well.
  store(result, MpfrAccess::sign(a) * MpfrAccess::sign(b),
        MpfrAccess::exponent(a) + MpfrAccess::exponent(b) - static_cast<std::int64_t>(up), {p3, p4, p5},
        (p0 | p1 | p2) != 0);
  return true;
}

}  // namespace daelab::three_limbs
