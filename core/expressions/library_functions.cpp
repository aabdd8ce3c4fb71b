#include "core/expressions/library_functions.hpp"

#include <cmath>

#include "core/base/strict_arithmetic.hpp"

namespace daelab {
namespace {

using Unary = double (*)(double);
using Binary = double (*)(double, double);

}  // namespace

const void* library_function(Operation operation) {
  const auto unary = [](Unary function) { return reinterpret_cast<const void*>(function); };
  const auto binary = [](Binary function) { return reinterpret_cast<const void*>(function); };
  switch (operation) {
    case Operation::power:
      return binary(arithmetic::pow);
    case Operation::exp:
      return unary(arithmetic::exp);
    case Operation::log:
      return unary(arithmetic::log);
    case Operation::sin:
      return unary(arithmetic::sin);
    case Operation::cos:
      return unary(arithmetic::cos);
    case Operation::tan:
      return unary(arithmetic::tan);
    case Operation::asin:
      return unary(arithmetic::asin);
    case Operation::acos:
      return unary(arithmetic::acos);
    case Operation::atan:
      return unary(arithmetic::atan);
    case Operation::atan2:
      return binary(arithmetic::atan2);
    case Operation::sinh:
      return unary(arithmetic::sinh);
    case Operation::cosh:
      return unary(arithmetic::cosh);
    case Operation::tanh:
      return unary(arithmetic::tanh);
    case Operation::floor:
      return unary(std::floor);
    default:
      return nullptr;
  }
}

}  // namespace daelab
