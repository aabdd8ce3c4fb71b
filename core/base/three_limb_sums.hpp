// Sums of products of numbers of three limbs, rounded once: numbers of 50 digits.
//
// Each product is added as a fixed-point number to a sum of 256 bits below the largest product, without being rounded,
// normalised and stored in between: in less than half of the time, with an error far below those of the roundings.
#pragma once

#include <algorithm>

#include "core/base/three_limbs.hpp"

namespace daelab::three_limbs {

/// A sum in two's complement: 0.limb[3] limb[2] limb[1] limb[0] times two to an exponent, whole numbers in limb[4].
struct FixedSum {
  Limb limb[5] = {};

  /// Adds sign 0.p[3] p[2] p[1] p[0] 2^-shift, 0 <= shift < 256. p: nine limbs, zeros above p[3].
  void add(const Limb* p, int sign, Limb shift) {
    const Limb* const from = p + shift / 64;
    const Limb part = shift % 64, left = 63 - part, mask = sign < 0 ? ~Limb(0) : 0;
    Limb carry = mask & 1;
    for (int i = 0; i < 4; ++i) {
      const Limb term = (from[i] >> part | from[i + 1] << 1 << left) ^ mask;
      const DoubleLimb sum = DoubleLimb(limb[i]) + term + carry;
      limb[i] = static_cast<Limb>(sum), carry = static_cast<Limb>(sum >> 64);
    }
    limb[4] += mask + carry;
  }
  /// Makes it positive; returns the sign it had.
  int take_sign() {
    if (limb[4] >> 63 == 0) return 1;
    Limb carry = 1;
    for (Limb& x : limb) x = ~x + carry, carry = carry != 0 && x == 0;
    return -1;
  }
  /// result := this times 2^exponent, rounded.
  void store(Real50& result, std::int64_t exponent) {
    const int sign = take_sign();
    int top = 4;
    while (top >= 0 && limb[top] == 0) --top;
    if (top < 0) {
      result = Real50();
      return;
    }
    const int up = std::countl_zero(limb[top]), down = 63 - up;
    const auto at = [this](int i) { return i < 0 ? Limb(0) : limb[i]; };
    const auto shifted = [&](int i) { return at(i) << up | at(i - 1) >> 1 >> down; };
    const bool more = (at(top - 3) << up | at(top - 4)) != 0;
    three_limbs::store(result, sign, exponent + 64 * (top - 3) - up, {shifted(top - 2), shifted(top - 1), shifted(top)},
                       more);
  }
};

/// The four highest limbs of x y, to a few units of the lowest.
inline void multiply_high(Limb* p, const Fraction& x, const Fraction& y) {
  const DoubleLimb ml = DoubleLimb(x.middle) * y.low, lm = DoubleLimb(x.low) * y.middle;
  Limb c0 = static_cast<Limb>(ml >> 64), c1 = static_cast<Limb>(lm >> 64), c2 = 0;
  p[0] = multiply_add(x.low, y.high, 0, c0);
  p[0] = multiply_add(x.middle, y.middle, p[0], c1);
  p[0] = multiply_add(x.high, y.low, p[0], c2);
  p[1] = multiply_add(x.middle, y.high, c0, c1);
  p[1] = multiply_add(x.high, y.middle, p[1], c2);
  p[2] = multiply_add(x.high, y.high, c1, c2);
  p[3] = c2;
}

/// result := sum_i a[i] b[-i], i = 0, ..., count - 1; false: left to single operations.
inline bool add_products(Real50& result, const Real50* a, const Real50* b, int count) {
  const Real50 nothing;
  const std::int64_t zero = MpfrAccess::exponent(nothing);
  std::int64_t highest = zero;
  for (int i = 0; i < count; ++i) {
    const std::int64_t x = MpfrAccess::exponent(a[i]), y = MpfrAccess::exponent(b[-i]);
    if (!is_ordinary(a[i]) || !is_ordinary(b[-i])) {
      if ((x == zero || is_ordinary(a[i])) && (y == zero || is_ordinary(b[-i]))) continue;
      return false;
    }
    highest = std::max(highest, x + y);
  }
  FixedSum sum;
  Limb p[9] = {};
  for (int i = 0; i < count; ++i) {
    const Real50 &x = a[i], &y = b[-i];
    if (MpfrAccess::exponent(x) == zero || MpfrAccess::exponent(y) == zero) continue;
    const auto distance = static_cast<Limb>(highest - MpfrAccess::exponent(x) - MpfrAccess::exponent(y));
    if (distance >= 256) continue;
    multiply_high(p, fraction(x), fraction(y));
    sum.add(p, MpfrAccess::sign(x) * MpfrAccess::sign(y), distance);
  }
  sum.store(result, highest);
  return true;
}

}  // namespace daelab::three_limbs
