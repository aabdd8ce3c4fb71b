// Converts our numbers to those of Boost.Multiprecision, for what Boost.Math and exact fractions compute.
#pragma once

#include <boost/multiprecision/mpfr.hpp>

#include "core/base/mpfr_view.hpp"

namespace daelab {

template <unsigned Digits>
using BoostReal = boost::multiprecision::number<
    boost::multiprecision::mpfr_float_backend<Digits, boost::multiprecision::allocate_stack>,
    boost::multiprecision::et_off>;

/// Both have the same bits of precision: conversion is exact.
template <unsigned Digits>
BoostReal<Digits> to_boost(const MultiPrecision<Digits>& x) {
  BoostReal<Digits> result;
  (mpfr_set)(result.backend().data(), MpfrArgument(x), MPFR_RNDN);
  return result;
}
template <unsigned Digits>
MultiPrecision<Digits> from_boost(const BoostReal<Digits>& x) {
  static_assert(std::numeric_limits<BoostReal<Digits>>::digits == MultiPrecision<Digits>::bits);
  MultiPrecision<Digits> result;
  (mpfr_set)(MpfrResult(result), x.backend().data(), MPFR_RNDN);
  return result;
}
inline double to_boost(double x) { return x; }
inline double from_boost(double x) { return x; }

}  // namespace daelab
