// Products and quotients of complex numbers that are finite: without a search for infinities, which takes a branch for
// each product and a call of the compiler's library for each quotient.
#pragma once

#include <complex>
#include <type_traits>

namespace daelab {

/// x y; of other numbers as it is.
template <class X, class Y>
auto plain_product(const X& x, const Y& y) {
  return x * y;
}
template <class R>
std::complex<R> plain_product(const std::complex<R>& x, const std::complex<R>& y) {
  return {x.real() * y.real() - x.imag() * y.imag(), x.real() * y.imag() + x.imag() * y.real()};
}

/// Squares of moduli between this and its inverse neither overflow nor lose digits.
constexpr double least_square = 1e-280;

/// 1 / x; of complex numbers in double without the library where the square of the modulus is in that range.
template <class S>
S plain_inverse(const S& x) {
  if constexpr (std::is_same_v<S, std::complex<double>>) {
    const double square = x.real() * x.real() + x.imag() * x.imag();
    if (square > least_square && square < 1 / least_square) return {x.real() / square, -x.imag() / square};
  }
  return S(S(1) / x);
}

/// x / y for many x and one y; of complex numbers in double the product with 1 / y.
template <class S>
class Divisor {
 public:
  explicit Divisor(const S& y) : y_(by_inverse ? plain_inverse(y) : y) {}
  S operator()(const S& x) const {
    if constexpr (by_inverse)
      return plain_product(x, y_);
    else
      return x / y_;
  }

 private:
  static constexpr bool by_inverse = std::is_same_v<S, std::complex<double>>;
  S y_;  // its inverse where it is complex
};

}  // namespace daelab
