// Division of many numbers by one.
#pragma once

#include <complex>
#include <type_traits>

namespace daelab {

/// x / y for one y. Of complex numbers in double it is the product with 1 / y, without a search for infinities: a
/// quotient takes a call of the compiler's library.
template <class S>
class Divisor {
 public:
  explicit Divisor(const S& y) : y_(is_complex ? S(S(1) / y) : y) {}
  S operator()(const S& x) const {
    if constexpr (is_complex)
      return {x.real() * y_.real() - x.imag() * y_.imag(), x.real() * y_.imag() + x.imag() * y_.real()};
    else
      return x / y_;
  }

 private:
  static constexpr bool is_complex = std::is_same_v<S, std::complex<double>>;
  S y_;  // its inverse where it is complex
};

}  // namespace daelab
