// How MPFR sees our numbers, for the few files that call it.
#pragma once

#include <mpfr.h>

#include "core/base/real.hpp"

namespace daelab {

/// The one friend of MultiPrecision: lends its digits to MPFR and takes results back, and shows them to arithmetic of
/// ours.
struct MpfrAccess {
  static auto& exponent(auto& x) { return x.exponent_; }
  static auto& sign(auto& x) { return x.sign_; }
  static auto& limbs(auto& x) { return x.limb_; }

  /// An argument of an MPFR function, which reads only.
  template <unsigned Digits>
  static __mpfr_struct view(const MultiPrecision<Digits>& x) {
    static_assert(sizeof(mp_limb_t) == sizeof(std::uint64_t) && mp_bits_per_limb_is_64);
    static_assert(MultiPrecision<Digits>::zero == __MPFR_EXP_ZERO &&
                  MultiPrecision<Digits>::infinite == __MPFR_EXP_INF &&
                  MultiPrecision<Digits>::not_a_number == __MPFR_EXP_NAN);
    return {MultiPrecision<Digits>::bits, x.sign_, x.exponent_, const_cast<mp_limb_t*>(x.limb_.data())};
  }
  static constexpr bool mp_bits_per_limb_is_64 = GMP_NUMB_BITS == 64;

  template <unsigned Digits>
  static void store(MultiPrecision<Digits>& x, const __mpfr_struct& result) {
    x.sign_ = result._mpfr_sign;
    x.exponent_ = result._mpfr_exp;
  }
};

/// x as an argument of MPFR, as long as the expression lasts. Some of MPFR's names are macros that are several
/// expressions: call the function, as (mpfr_set)(...).
template <unsigned Digits>
class MpfrArgument {
 public:
  explicit MpfrArgument(const MultiPrecision<Digits>& x) : view_(MpfrAccess::view(x)) {}
  operator mpfr_srcptr() const { return &view_; }  // NOLINT

 private:
  __mpfr_struct view_;
};

/// x as the result of MPFR, taken over at the end of the expression.
template <unsigned Digits>
class MpfrResult {
 public:
  explicit MpfrResult(MultiPrecision<Digits>& x) : x_(x), view_(MpfrAccess::view(x)) {}
  MpfrResult(const MpfrResult&) = delete;
  ~MpfrResult() { MpfrAccess::store(x_, view_); }
  operator mpfr_ptr() { return &view_; }           // NOLINT
  operator mpfr_srcptr() const { return &view_; }  // NOLINT

 private:
  MultiPrecision<Digits>& x_;
  __mpfr_struct view_;
};

}  // namespace daelab
