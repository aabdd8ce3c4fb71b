// Floating-point numbers of 50 and 100 decimal digits: plain values whose arithmetic MPFR does.
//
// The operations are compiled once, in real.cpp, so nothing here includes MPFR. What needs no
// arithmetic (copies, signs, comparisons, exact conversions from built-in numbers) is inline.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <bit>
#include <compare>
#include <concepts>
#include <cstdint>
#include <iosfwd>
#include <limits>
#include <string>
#include <type_traits>

namespace daelab {

struct MpfrAccess;

/// A floating-point number of so many decimal digits, rounded to nearest, stored in place and copied
/// as bytes. Zero when nothing is said. It behaves as a built-in number does: infinities, NaN and the
/// sign of zero as in IEEE 754, exact conversion from built-in numbers by itself, to them on request.
template <unsigned Digits>
class MultiPrecision {
 public:
  static constexpr int bits = Digits * 1000 / 301 + (Digits * 1000 % 301 != 0 ? 2 : 1);
  static constexpr int limbs = (bits + 63) / 64;

  constexpr MultiPrecision() : limb_{} {}
  template <std::integral I>
  constexpr MultiPrecision(I value)  // NOLINT: exact
      : MultiPrecision(value < I(0), value < I(0) ? -std::uint64_t(value) : std::uint64_t(value), 0) {}
  constexpr MultiPrecision(double value);  // NOLINT: exact
  template <unsigned D>
  explicit(D > Digits) MultiPrecision(const MultiPrecision<D>& value);  // NOLINT: exact unless explicit
  /// Decimal text; throws std::runtime_error if it is none.
  explicit MultiPrecision(const char* text);
  explicit MultiPrecision(const std::string& text) : MultiPrecision(text.c_str()) {}

  static constexpr MultiPrecision power_of_two(long exponent) { return {false, 1, exponent}; }
  static constexpr MultiPrecision infinity() { return special(infinite); }
  static constexpr MultiPrecision quiet_NaN() { return special(not_a_number); }

  /// To an integer: towards zero, and to the nearest there is when out of range; NaN throws.
  template <class T>
  requires std::is_arithmetic_v<T>
  explicit operator T() const;

  /// Decimal with so many significant digits, 0 for all, without trailing zeros.
  std::string str(int digits = 0) const;
  /// With so many digits behind the point: "1.50e+03" and "1500.00".
  std::string scientific(int digits) const;
  std::string fixed(int digits) const;

#define DAELAB_OPERATOR(symbol, name)                                                       \
  friend MultiPrecision operator symbol(const MultiPrecision& a, const MultiPrecision& b) { \
    MultiPrecision result{Unset()};                                                         \
    name(result, a, b);                                                                     \
    return result;                                                                          \
  }                                                                                         \
  template <std::integral I>                                                                \
  friend MultiPrecision operator symbol(const MultiPrecision& a, I b) {                     \
    MultiPrecision result{Unset()};                                                         \
    name(result, a, wide(b));                                                               \
    return result;                                                                          \
  }                                                                                         \
  template <std::integral I>                                                                \
  friend MultiPrecision operator symbol(I a, const MultiPrecision& b) {                     \
    MultiPrecision result{Unset()};                                                         \
    name(result, wide(a), b);                                                               \
    return result;                                                                          \
  }                                                                                         \
  MultiPrecision& operator symbol##=(const MultiPrecision& b) {                             \
    name(*this, *this, b);                                                                  \
    return *this;                                                                           \
  }                                                                                         \
  template <std::integral I>                                                                \
  MultiPrecision& operator symbol##=(I b) {                                                 \
    name(*this, *this, wide(b));                                                            \
    return *this;                                                                           \
  }
  DAELAB_OPERATOR(+, add)
  DAELAB_OPERATOR(-, subtract)
  DAELAB_OPERATOR(*, multiply)
  DAELAB_OPERATOR(/, divide)
#undef DAELAB_OPERATOR

  constexpr MultiPrecision operator+() const { return *this; }
  constexpr MultiPrecision operator-() const {
    MultiPrecision result = *this;
    result.sign_ = -sign_;
    return result;
  }

  friend constexpr bool operator==(const MultiPrecision& a, const MultiPrecision& b) { return (a <=> b) == 0; }
  friend constexpr std::partial_ordering operator<=>(const MultiPrecision& a, const MultiPrecision& b) {
    if (isnan(a) || isnan(b)) return std::partial_ordering::unordered;
    const int sign = a.signum();
    if (sign != b.signum() || sign == 0) return sign <=> b.signum();
    return sign > 0 ? a.compare_size(b) : b.compare_size(a);
  }

  friend constexpr bool isnan(const MultiPrecision& x) { return x.exponent_ == not_a_number; }
  friend constexpr bool isinf(const MultiPrecision& x) { return x.exponent_ == infinite; }
  friend constexpr bool isfinite(const MultiPrecision& x) { return !isnan(x) && !isinf(x); }
  friend constexpr bool signbit(const MultiPrecision& x) { return x.sign_ < 0; }
  friend constexpr MultiPrecision abs(const MultiPrecision& x) { return x.sign_ < 0 ? -x : x; }
  friend constexpr MultiPrecision fabs(const MultiPrecision& x) { return abs(x); }

 private:
  friend MpfrAccess;

  // MPFR's own codes: these values have no digits.
  static constexpr std::int64_t zero = -std::numeric_limits<std::int64_t>::max();
  static constexpr std::int64_t not_a_number = zero + 1, infinite = zero + 2;

  // About to be a result: its digits are left to MPFR.
  struct Unset {};
  explicit MultiPrecision(Unset) {}
  // (-1)^negative size 2^exponent
  constexpr MultiPrecision(bool negative, std::uint64_t size, std::int64_t exponent)
      : sign_(negative ? -1 : 1), limb_{} {
    if (size == 0) return;
    const int unused = std::countl_zero(size);
    exponent_ = exponent + 64 - unused;
    limb_.back() = size << unused;
  }
  static constexpr MultiPrecision special(std::int64_t code) {
    MultiPrecision result;
    result.exponent_ = code;
    return result;
  }

  static constexpr auto wide(std::integral auto i) {
    static_assert(sizeof(i) <= sizeof(long));
    if constexpr (std::is_signed_v<decltype(i)>)
      return long(i);
    else
      return static_cast<unsigned long>(i);
  }

  constexpr int signum() const { return exponent_ == zero ? 0 : sign_; }
  // |*this| against |b|, neither zero nor NaN.
  constexpr std::strong_ordering compare_size(const MultiPrecision& b) const {
    if (exponent_ != b.exponent_)
      return isinf(*this) || (!isinf(b) && exponent_ > b.exponent_) ? std::strong_ordering::greater
                                                                    : std::strong_ordering::less;
    if (isinf(*this)) return std::strong_ordering::equal;
    int i = limbs - 1;
    while (i > 0 && limb_[i] == b.limb_[i]) --i;
    return limb_[i] <=> b.limb_[i];
  }

  // The result may be one of the arguments.
  static void add(MultiPrecision& result, const MultiPrecision& a, const MultiPrecision& b);
  static void add(MultiPrecision& result, const MultiPrecision& a, long b);
  static void add(MultiPrecision& result, const MultiPrecision& a, unsigned long b);
  static void add(MultiPrecision& result, std::integral auto a, const MultiPrecision& b) { add(result, b, a); }
  static void subtract(MultiPrecision& result, const MultiPrecision& a, const MultiPrecision& b);
  static void subtract(MultiPrecision& result, const MultiPrecision& a, long b);
  static void subtract(MultiPrecision& result, const MultiPrecision& a, unsigned long b);
  static void subtract(MultiPrecision& result, long a, const MultiPrecision& b);
  static void subtract(MultiPrecision& result, unsigned long a, const MultiPrecision& b);
  static void multiply(MultiPrecision& result, const MultiPrecision& a, const MultiPrecision& b);
  static void multiply(MultiPrecision& result, const MultiPrecision& a, long b);
  static void multiply(MultiPrecision& result, const MultiPrecision& a, unsigned long b);
  static void multiply(MultiPrecision& result, std::integral auto a, const MultiPrecision& b) {
    multiply(result, b, a);
  }
  static void divide(MultiPrecision& result, const MultiPrecision& a, const MultiPrecision& b);
  static void divide(MultiPrecision& result, const MultiPrecision& a, long b);
  static void divide(MultiPrecision& result, const MultiPrecision& a, unsigned long b);
  static void divide(MultiPrecision& result, long a, const MultiPrecision& b);
  static void divide(MultiPrecision& result, unsigned long a, const MultiPrecision& b);

  float to_float() const;
  double to_double() const;
  long to_long() const;
  unsigned long to_unsigned_long() const;

  // +-0.limbs 2^exponent, the highest limb last and its highest bit set.
  std::int64_t exponent_ = zero;
  int sign_ = 1;
  std::array<std::uint64_t, limbs> limb_;
};

/// 50 decimal digits: runs that need a round-off floor far below any truncation error.
using Real50 = MultiPrecision<50>;
/// 100 decimal digits: coefficients and problem constants, rounded once to the working scalar.
using Real100 = MultiPrecision<100>;

extern template class MultiPrecision<50>;
extern template class MultiPrecision<100>;

template <unsigned Digits>
constexpr MultiPrecision<Digits>::MultiPrecision(double value) {
  const auto pattern = std::bit_cast<std::uint64_t>(value);
  const std::uint64_t fraction = pattern & ((std::uint64_t(1) << 52) - 1);
  const int exponent = static_cast<int>(pattern >> 52 & 0x7FF);
  const bool negative = pattern >> 63 != 0;
  if (exponent == 0x7FF)
    *this = fraction != 0 ? quiet_NaN() : negative ? -infinity() : infinity();
  else if (exponent == 0)
    *this = {negative, fraction, -1074};
  else
    *this = {negative, fraction | std::uint64_t(1) << 52, exponent - 1075};
}

template <unsigned Digits>
template <class T>
requires std::is_arithmetic_v<T> MultiPrecision<Digits>::operator T() const {
  static_assert(!std::is_same_v<T, long double>);
  if constexpr (std::is_same_v<T, bool>)
    return exponent_ != zero;
  else if constexpr (std::is_same_v<T, float>)
    return to_float();
  else if constexpr (std::is_same_v<T, double>)
    return to_double();
  else if constexpr (std::is_unsigned_v<T>)
    return static_cast<T>(to_unsigned_long());
  else
    return static_cast<T>(std::clamp<long>(to_long(), std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
}

/// Functions of one number, as in <cmath>.
// clang-format off
#define DAELAB_FOR_REAL_FUNCTIONS(X)                                     \
  X(sqrt) X(exp) X(log) X(log2) X(log10) X(sin) X(cos) X(tan) X(asin)    \
  X(acos) X(atan) X(sinh) X(cosh) X(tanh) X(asinh) X(acosh) X(atanh)     \
  X(floor) X(ceil) X(trunc) X(round)
// clang-format on
#define DAELAB_DECLARE(function) \
  template <unsigned Digits>     \
  MultiPrecision<Digits> function(const MultiPrecision<Digits>& x);
DAELAB_FOR_REAL_FUNCTIONS(DAELAB_DECLARE)
#undef DAELAB_DECLARE

template <unsigned Digits>
MultiPrecision<Digits> atan2(const MultiPrecision<Digits>& y, const MultiPrecision<Digits>& x);
template <unsigned Digits>
MultiPrecision<Digits> fmod(const MultiPrecision<Digits>& a, const MultiPrecision<Digits>& b);
template <unsigned Digits>
MultiPrecision<Digits> pow(const MultiPrecision<Digits>& base, const MultiPrecision<Digits>& exponent);
template <unsigned Digits>
MultiPrecision<Digits> pow(const MultiPrecision<Digits>& base, long exponent);
template <unsigned Digits>
MultiPrecision<Digits> pow(const MultiPrecision<Digits>& base, int exponent) {
  return pow(base, long(exponent));
}
template <unsigned Digits>
MultiPrecision<Digits> pow(const MultiPrecision<Digits>& base, double exponent) {
  return pow(base, MultiPrecision<Digits>(exponent));
}
/// x 2^exponent
template <unsigned Digits>
MultiPrecision<Digits> ldexp(const MultiPrecision<Digits>& x, long exponent);
/// Splits x into a number of size [1/2, 1) and a power of two.
template <unsigned Digits>
MultiPrecision<Digits> frexp(const MultiPrecision<Digits>& x, int* exponent);
template <unsigned Digits>
void sincos(const MultiPrecision<Digits>& x, MultiPrecision<Digits>& sine, MultiPrecision<Digits>& cosine);

/// With the digits the stream asks for.
template <unsigned Digits>
std::ostream& operator<<(std::ostream& stream, const MultiPrecision<Digits>& x);

/// The circle constant, rounded to T.
template <class T>
T pi() = delete;
template <>
double pi<double>();
template <>
Real50 pi<Real50>();
template <>
Real100 pi<Real100>();

}  // namespace daelab

template <unsigned Digits>
class std::numeric_limits<daelab::MultiPrecision<Digits>> {
  using Real = daelab::MultiPrecision<Digits>;

 public:
  static constexpr bool is_specialized = true, is_signed = true, is_integer = false, is_exact = false;
  static constexpr bool has_infinity = true, has_quiet_NaN = true, has_signaling_NaN = false;
  static constexpr bool is_iec559 = false, is_bounded = true, is_modulo = false;
  static constexpr bool has_denorm_loss = false, traps = true, tinyness_before = false;
  static constexpr std::float_denorm_style has_denorm = std::denorm_absent;
  static constexpr std::float_round_style round_style = std::round_to_nearest;
  static constexpr int radix = 2, digits = Real::bits, digits10 = Digits;
  static constexpr int max_digits10 = static_cast<int>(0.3010299956639812 * digits) + 2;
  static constexpr long max_exponent = (1L << 30) - 1, min_exponent = -max_exponent;
  static constexpr long max_exponent10 = max_exponent / 1000 * 301, min_exponent10 = -max_exponent10;

  static constexpr Real epsilon() { return Real::power_of_two(1 - digits); }
  static constexpr Real round_error() { return Real::power_of_two(-1); }
  static constexpr Real min() { return Real::power_of_two(min_exponent - 1); }
  /// The largest power of two, not quite the largest number.
  static constexpr Real max() { return Real::power_of_two(max_exponent - 1); }
  static constexpr Real lowest() { return -max(); }
  static constexpr Real denorm_min() { return min(); }
  static constexpr Real infinity() { return Real::infinity(); }
  static constexpr Real quiet_NaN() { return Real::quiet_NaN(); }
  static constexpr Real signaling_NaN() { return quiet_NaN(); }
};

namespace Eigen {

template <unsigned Digits>
struct NumTraits<daelab::MultiPrecision<Digits>> : GenericNumTraits<daelab::MultiPrecision<Digits>> {
  using Scalar = daelab::MultiPrecision<Digits>;
  using Literal = double;
  // New entries are constructed, hence zero: code relies on it.
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = 1,
    AddCost = 4,
    MulCost = 8
  };
  static Scalar dummy_precision() { return 1000 * std::numeric_limits<Scalar>::epsilon(); }
};

/// Coefficient-wise operations with built-in numbers.
template <unsigned Digits, class Number, class Operation>
requires std::is_arithmetic_v<Number>
struct ScalarBinaryOpTraits<daelab::MultiPrecision<Digits>, Number, Operation> {
  using ReturnType = daelab::MultiPrecision<Digits>;
};
template <unsigned Digits, class Number, class Operation>
requires std::is_arithmetic_v<Number>
struct ScalarBinaryOpTraits<Number, daelab::MultiPrecision<Digits>, Operation> {
  using ReturnType = daelab::MultiPrecision<Digits>;
};

}  // namespace Eigen
