// What an operation does to numbers, in one place: folding, interpreters and the calls of machine code.
#pragma once

#include <cmath>
#include <complex>
#include <limits>
#include <numbers>

#include "core/base/real.hpp"
#include "core/base/strict_arithmetic.hpp"
#include "core/expressions/graph.hpp"
#include "core/expressions/operation_facts.hpp"

namespace daelab {

/// Conditions, signs and minima look at real parts.
template <class T>
const T& real_part(const T& x) {
  return x;
}
inline double real_part(const std::complex<double>& x) { return x.real(); }

/// Continued from the real axis with the smallest round-off in the imaginary part, which carries derivatives.
inline std::complex<double> atan2(const std::complex<double>& y, const std::complex<double>& x) {
  constexpr double half_turn = std::numbers::pi;
  if (std::abs(x.real()) < std::abs(y.real())) return std::copysign(half_turn / 2, y.real()) - atan(x / y);
  return atan(y / x) + (std::signbit(x.real()) ? std::copysign(half_turn, y.real()) : 0);
}

/// One operation on numbers; conditions are 1 or 0. Not for constants, inputs and groups of sines.
template <class T>
T apply(Operation operation, const T& a, const T& b, const T& c) {
  // For double; those of complex numbers and of many digits are found by their arguments.
  using arithmetic::acos, arithmetic::asin, arithmetic::atan, arithmetic::atan2, arithmetic::cos, arithmetic::cosh,
      arithmetic::exp, arithmetic::log, arithmetic::pow, arithmetic::sin, arithmetic::sinh, arithmetic::tan,
      arithmetic::tanh;
  using daelab::atan2;
  using std::abs, std::floor, std::sqrt;
  const auto truth = [](bool holds) { return holds ? T(1) : T(0); };
  constexpr bool is_complex = std::is_same_v<T, std::complex<double>>;
  switch (operation) {
    case Operation::add:
      return a + b;
    case Operation::subtract:
      return a - b;
    case Operation::multiply:
      return a * b;
    case Operation::divide:
      return a / b;
    case Operation::negate:
      return -a;
    case Operation::power:
      return pow(a, b);
    case Operation::sqrt:
      return sqrt(a);
    case Operation::exp:
      return exp(a);
    case Operation::log:
      return log(a);
    case Operation::sin:
      return sin(a);
    case Operation::cos:
      return cos(a);
    case Operation::tan:
      return tan(a);
    case Operation::asin:
      return asin(a);
    case Operation::acos:
      return acos(a);
    case Operation::atan:
      return atan(a);
    case Operation::atan2:
      return atan2(a, b);
    case Operation::sinh:
      return sinh(a);
    case Operation::cosh:
      return cosh(a);
    case Operation::tanh:
      return tanh(a);
    case Operation::abs:
      if constexpr (is_complex)
        return real_part(a) < 0 ? -a : a;
      else
        return abs(a);
    case Operation::sign:
      return T((real_part(a) > 0) - (real_part(a) < 0));
    case Operation::floor:
      return T(floor(real_part(a)));
    case Operation::min:
      return real_part(b) < real_part(a) ? b : a;
    case Operation::max:
      return real_part(a) < real_part(b) ? b : a;
    case Operation::less:
      return truth(real_part(a) < real_part(b));
    case Operation::less_equal:
      return truth(real_part(a) <= real_part(b));
    case Operation::equal:
      return truth(real_part(a) == real_part(b));
    case Operation::select:
      return a != T(0) ? b : c;
    case Operation::constant:
    case Operation::input:
    case Operation::sines_and_cosines:
      break;
  }
  return T(std::numeric_limits<double>::quiet_NaN());
}

}  // namespace daelab
