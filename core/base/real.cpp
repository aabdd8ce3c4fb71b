#include "core/base/real.hpp"

#include <gmp.h>

#include <cstdio>
#include <cstdlib>
#include <new>
#include <numbers>
#include <ostream>
#include <stdexcept>

#include "core/base/fixed_sines.hpp"
#include "core/base/mpfr_view.hpp"
#include "core/base/three_limbs.hpp"

namespace daelab {
namespace {

// MPFR keeps pi, log 2 and scratch numbers per thread; a thread that made some frees them at its end.
struct ThreadCaches {
  ~ThreadCaches() { mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE); }
  void use() const {}
};
thread_local const ThreadCaches caches;

// GMP, which MPFR takes its scratch memory from, ends the program where there is none: an exception goes to whoever can
// say so. Its compiled code has tables for exceptions to pass through, as all code of these machines.
void* allocate(std::size_t size) {
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
void* reallocate(void* before, std::size_t /*size_before*/, std::size_t size) {
  if (void* memory = std::realloc(before, size)) return memory;
  throw std::bad_alloc();
}
void release(void* memory, std::size_t /*size*/) { std::free(memory); }
[[maybe_unused]] const bool allocators_are_set = (mp_set_memory_functions(allocate, reallocate, release), true);

// f(result, arguments..., round to nearest)
template <class Real>
Real rounded(auto* f, const auto&... arguments) {
  Real result;
  f(MpfrResult(result), arguments..., MPFR_RNDN);
  return result;
}

// f(result, a, b), where a or b may be the result itself: MPFR must see one number then, not two that share digits.
template <unsigned Digits>
void apply(auto* f, MultiPrecision<Digits>& result, const MultiPrecision<Digits>& a, const MultiPrecision<Digits>& b) {
  MpfrResult r(result);
  const MpfrArgument x(a), y(b);
  f(r, &a == &result ? mpfr_srcptr(r) : x, &b == &result ? mpfr_srcptr(r) : y, MPFR_RNDN);
}
template <unsigned Digits>
void apply(auto* f, MultiPrecision<Digits>& result, const MultiPrecision<Digits>& a, auto b) {
  MpfrResult r(result);
  const MpfrArgument x(a);
  f(r, &a == &result ? mpfr_srcptr(r) : x, b, MPFR_RNDN);
}
template <unsigned Digits>
void apply(auto* f, MultiPrecision<Digits>& result, std::integral auto a, const MultiPrecision<Digits>& b) {
  f(MpfrResult(result), a, MpfrArgument(b), MPFR_RNDN);  // never in place
}

template <unsigned Digits>
MultiPrecision<Digits> apply(int (*f)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t), const MultiPrecision<Digits>& x) {
  caches.use();
  return rounded<MultiPrecision<Digits>>(f, MpfrArgument(x));
}

// MPFR prints the decimal point of the locale.
std::string with_point(std::string number) {
  constexpr const char* digits = "0123456789";
  const std::size_t point = number.find_first_not_of(digits, number.starts_with('-') ? 1 : 0);
  const std::size_t after = number.find_first_of(digits, point);
  if (point == 0 || after == std::string::npos || number[point] == 'e') return number;
  return number.replace(point, after - point, ".");
}

template <unsigned Digits>
std::string printed(const char* format, int digits, const MultiPrecision<Digits>& x) {
  caches.use();
  const MpfrArgument number(x);
  std::string text(mpfr_snprintf(nullptr, 0, format, digits, mpfr_srcptr(number)), ' ');
  mpfr_snprintf(text.data(), text.size() + 1, format, digits, mpfr_srcptr(number));
  return with_point(std::move(text));
}

template <class Real>
Real circle_constant() {
  caches.use();
  Real result;
  (mpfr_const_pi)(MpfrResult(result), MPFR_RNDN);
  return result;
}

// "e+05", with two digits at least.
std::string power_of_ten(long exponent) {
  const std::string size = std::to_string(std::abs(exponent));
  return (exponent < 0 ? "e-" : "e+") + std::string(size.size() < 2, '0') + size;
}

// Significant digits d1 d2 ... of the number d1.d2... 10^exponent.
std::string positional(std::string digits, long exponent) {
  if (exponent < 0) return "0." + std::string(-1 - exponent, '0') + digits;
  const auto whole = static_cast<std::size_t>(exponent) + 1;
  if (digits.size() < whole) digits.append(whole - digits.size(), '0');
  return digits.size() == whole ? digits : digits.insert(whole, ".");
}

}  // namespace

#define DAELAB_DEFINE(name, function, A, B)                             \
  template <unsigned Digits>                                            \
  void MultiPrecision<Digits>::name(MultiPrecision& result, A a, B b) { \
    apply(function, result, a, b);                                      \
  }
#define DAELAB_DEFINE_OPERATION(name, function)                          \
  DAELAB_DEFINE(name, mpfr_##function##_si, const MultiPrecision&, long) \
  DAELAB_DEFINE(name, mpfr_##function##_ui, const MultiPrecision&, unsigned long)
#define DAELAB_DEFINE_OF_TWO(name, function)                                                                    \
  template <unsigned Digits>                                                                                    \
  void MultiPrecision<Digits>::name(MultiPrecision& result, const MultiPrecision& a, const MultiPrecision& b) { \
    if constexpr (Digits == 50)                                                                                 \
      if (three_limbs::name(result, a, b)) return;                                                              \
    apply(mpfr_##function, result, a, b);                                                                       \
  }
DAELAB_DEFINE_OF_TWO(add, add)
DAELAB_DEFINE_OF_TWO(subtract, sub)
DAELAB_DEFINE_OF_TWO(multiply, mul)
#undef DAELAB_DEFINE_OF_TWO
DAELAB_DEFINE(divide, mpfr_div, const MultiPrecision&, const MultiPrecision&)
DAELAB_DEFINE_OPERATION(add, add)
DAELAB_DEFINE_OPERATION(subtract, sub)
DAELAB_DEFINE_OPERATION(multiply, mul)
DAELAB_DEFINE_OPERATION(divide, div)
DAELAB_DEFINE(subtract, mpfr_si_sub, long, const MultiPrecision&)
DAELAB_DEFINE(subtract, mpfr_ui_sub, unsigned long, const MultiPrecision&)
DAELAB_DEFINE(divide, mpfr_si_div, long, const MultiPrecision&)
DAELAB_DEFINE(divide, mpfr_ui_div, unsigned long, const MultiPrecision&)
#undef DAELAB_DEFINE_OPERATION
#undef DAELAB_DEFINE

template <unsigned Digits>
template <unsigned D>
MultiPrecision<Digits>::MultiPrecision(const MultiPrecision<D>& value) {
  (mpfr_set)(MpfrResult(*this), MpfrArgument(value), MPFR_RNDN);
}

template <unsigned Digits>
MultiPrecision<Digits>::MultiPrecision(const char* text) {
  caches.use();
  if (mpfr_set_str(MpfrResult(*this), text, 10, MPFR_RNDN) != 0)
    throw std::runtime_error(std::string("\"") + text + "\" is not a decimal number");
}

template <unsigned Digits>
float MultiPrecision<Digits>::to_float() const {
  return mpfr_get_flt(MpfrArgument(*this), MPFR_RNDN);
}
template <unsigned Digits>
double MultiPrecision<Digits>::to_double() const {
  // The highest limb has eleven bits more than a double: its lowest one is set for any that follow.
  if (exponent_ > -900 && exponent_ < 900) {
    std::uint64_t below = 0;
    for (int i = 0; i + 1 < limbs; ++i) below |= limb_[i];
    const auto size = static_cast<double>(limb_[limbs - 1] | std::uint64_t(below != 0));
    const auto scale = std::bit_cast<double>(static_cast<std::uint64_t>(1023 - 64 + exponent_) << 52);
    return sign_ < 0 ? -(size * scale) : size * scale;
  }
  return mpfr_get_d(MpfrArgument(*this), MPFR_RNDN);
}
template <unsigned Digits>
long MultiPrecision<Digits>::to_long() const {
  if (isnan(*this)) throw std::runtime_error("NaN has no integer value");
  return mpfr_get_si(MpfrArgument(*this), MPFR_RNDZ);
}
template <unsigned Digits>
unsigned long MultiPrecision<Digits>::to_unsigned_long() const {
  if (isnan(*this)) throw std::runtime_error("NaN has no integer value");
  return mpfr_get_ui(MpfrArgument(*this), MPFR_RNDZ);
}

template <unsigned Digits>
std::string MultiPrecision<Digits>::str(int digits) const {
  if (isnan(*this)) return "nan";
  if (exponent_ == zero) return "0";
  const std::string sign = sign_ < 0 ? "-" : "";
  if (isinf(*this)) return sign + "inf";
  caches.use();
  mpfr_exp_t exponent = 0;
  char* const all =
      mpfr_get_str(nullptr, &exponent, 10, static_cast<std::size_t>(digits), MpfrArgument(abs(*this)), MPFR_RNDN);
  std::string text = all;
  mpfr_free_str(all);
  --exponent;  // MPFR's is that of 0.d1 d2 ...
  const long most = digits == 0 ? std::max<long>(text.size(), 16) : digits;
  text.erase(text.find_last_not_of('0') + 1);
  if (exponent >= -4 && exponent < most) return sign + positional(text, exponent);
  if (text.size() > 1) text.insert(1, ".");
  return sign + text + power_of_ten(exponent);
}

template <unsigned Digits>
std::string MultiPrecision<Digits>::scientific(int digits) const {
  return printed("%.*RNe", digits, *this);
}
template <unsigned Digits>
std::string MultiPrecision<Digits>::fixed(int digits) const {
  return printed("%.*RNf", digits, *this);
}

// Halves away from zero, by way of x +- 1/2 rounded.
template <unsigned Digits>
MultiPrecision<Digits> round(const MultiPrecision<Digits>& x) {
  if (x == 0 || !isfinite(x)) return x;
  return x < 0 ? ceil(x - 0.5) : floor(x + 0.5);
}

#define DAELAB_DEFINE(function)                                      \
  template <unsigned Digits>                                         \
  MultiPrecision<Digits> function(const MultiPrecision<Digits>& x) { \
    return apply(mpfr_##function, x);                                \
  }
DAELAB_DEFINE(sqrt)
DAELAB_DEFINE(exp)
DAELAB_DEFINE(log)
DAELAB_DEFINE(log2)
DAELAB_DEFINE(log10)
DAELAB_DEFINE(sin)
DAELAB_DEFINE(cos)
DAELAB_DEFINE(tan)
DAELAB_DEFINE(asin)
DAELAB_DEFINE(acos)
DAELAB_DEFINE(atan)
DAELAB_DEFINE(sinh)
DAELAB_DEFINE(cosh)
DAELAB_DEFINE(tanh)
DAELAB_DEFINE(asinh)
DAELAB_DEFINE(acosh)
DAELAB_DEFINE(atanh)
#undef DAELAB_DEFINE

template <unsigned Digits>
MultiPrecision<Digits> floor(const MultiPrecision<Digits>& x) {
  return apply(mpfr_rint_floor, x);
}
template <unsigned Digits>
MultiPrecision<Digits> ceil(const MultiPrecision<Digits>& x) {
  return apply(mpfr_rint_ceil, x);
}
template <unsigned Digits>
MultiPrecision<Digits> trunc(const MultiPrecision<Digits>& x) {
  return apply(mpfr_rint_trunc, x);
}

template <unsigned Digits>
MultiPrecision<Digits> atan2(const MultiPrecision<Digits>& y, const MultiPrecision<Digits>& x) {
  caches.use();
  return rounded<MultiPrecision<Digits>>(mpfr_atan2, MpfrArgument(y), MpfrArgument(x));
}
template <unsigned Digits>
MultiPrecision<Digits> fmod(const MultiPrecision<Digits>& a, const MultiPrecision<Digits>& b) {
  caches.use();
  return rounded<MultiPrecision<Digits>>(mpfr_fmod, MpfrArgument(a), MpfrArgument(b));
}
template <unsigned Digits>
MultiPrecision<Digits> pow(const MultiPrecision<Digits>& base, const MultiPrecision<Digits>& exponent) {
  caches.use();
  return rounded<MultiPrecision<Digits>>(mpfr_pow, MpfrArgument(base), MpfrArgument(exponent));
}
template <unsigned Digits>
MultiPrecision<Digits> pow(const MultiPrecision<Digits>& base, long exponent) {
  caches.use();
  return rounded<MultiPrecision<Digits>>(mpfr_pow_si, MpfrArgument(base), exponent);
}
template <unsigned Digits>
MultiPrecision<Digits> ldexp(const MultiPrecision<Digits>& x, long exponent) {
  return rounded<MultiPrecision<Digits>>(mpfr_mul_2si, MpfrArgument(x), exponent);
}
template <unsigned Digits>
MultiPrecision<Digits> frexp(const MultiPrecision<Digits>& x, int* exponent) {
  const long power = x == 0 || !isfinite(x) ? 0 : (mpfr_get_exp)(MpfrArgument(x));
  *exponent = static_cast<int>(power);
  return ldexp(x, -power);
}
template <unsigned Digits>
void sincos(const MultiPrecision<Digits>& x, MultiPrecision<Digits>& sine, MultiPrecision<Digits>& cosine) {
  if constexpr (Digits == 50)
    if (fixed_sine_and_cosine(x, sine, cosine)) return;
  caches.use();
  const MultiPrecision<Digits> angle = x;  // x may be one of the results
  mpfr_sin_cos(MpfrResult(sine), MpfrResult(cosine), MpfrArgument(angle), MPFR_RNDN);
}

template <unsigned Digits>
std::ostream& operator<<(std::ostream& stream, const MultiPrecision<Digits>& x) {
  return stream << x.str(static_cast<int>(stream.precision()));
}

template <>
double pi<double>() {
  return std::numbers::pi;
}
template <>
Real50 pi<Real50>() {
  return circle_constant<Real50>();
}
template <>
Real100 pi<Real100>() {
  return circle_constant<Real100>();
}

#define DAELAB_INSTANTIATE(Real)                   \
  template Real atan2(const Real&, const Real&);   \
  template Real fmod(const Real&, const Real&);    \
  template Real pow(const Real&, const Real&);     \
  template Real pow(const Real&, long);            \
  template Real ldexp(const Real&, long);          \
  template Real frexp(const Real&, int*);          \
  template void sincos(const Real&, Real&, Real&); \
  template std::ostream& operator<<(std::ostream&, const Real&);
DAELAB_INSTANTIATE(Real50)
DAELAB_INSTANTIATE(Real100)
#define DAELAB_INSTANTIATE_50(function) template Real50 function(const Real50&);
#define DAELAB_INSTANTIATE_100(function) template Real100 function(const Real100&);
DAELAB_FOR_REAL_FUNCTIONS(DAELAB_INSTANTIATE_50)
DAELAB_FOR_REAL_FUNCTIONS(DAELAB_INSTANTIATE_100)

template class MultiPrecision<50>;
template class MultiPrecision<100>;
template MultiPrecision<50>::MultiPrecision(const Real100&);
template MultiPrecision<100>::MultiPrecision(const Real50&);

}  // namespace daelab
