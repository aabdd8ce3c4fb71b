// Facts of operations that need no numbers: the program and the module of enclosures share them.
#pragma once

#include <algorithm>

#include "core/expressions/expression.hpp"

namespace daelab {

/// Whether an operation changes at jumps alone.
constexpr bool is_piecewise_constant(Operation operation) {
  switch (operation) {
    case Operation::sign:
    case Operation::floor:
    case Operation::less:
    case Operation::less_equal:
    case Operation::equal:
      return true;
    default:
      return false;
  }
}

/// The degree of a Taylor series of this order that an operation makes of series of the degrees a, b, c: a bound of
/// those of its coefficients that are not zero by structure.
constexpr int series_degree(Operation operation, int a, int b, int c, int order) {
  if (is_piecewise_constant(operation)) return 0;
  switch (operation) {
    case Operation::add:
    case Operation::subtract:
    case Operation::min:
    case Operation::max:
      return std::max(a, b);
    case Operation::select:
      return std::max(b, c);
    case Operation::multiply:
      return std::min(a + b, order);
    case Operation::divide:
      return b == 0 ? a : order;
    case Operation::negate:
    case Operation::abs:
      return a;
    case Operation::atan2:
      return std::max(a, b) == 0 ? 0 : order;
    default:
      return a == 0 ? 0 : order;
  }
}

}  // namespace daelab
