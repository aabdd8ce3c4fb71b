#include "core/expressions/library_functions.hpp"

#include <cmath>

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
      return binary(std::pow);
    case Operation::exp:
      return unary(std::exp);
    case Operation::log:
      return unary(std::log);
    case Operation::sin:
      return unary(std::sin);
    case Operation::cos:
      return unary(std::cos);
    case Operation::tan:
      return unary(std::tan);
    case Operation::asin:
      return unary(std::asin);
    case Operation::acos:
      return unary(std::acos);
    case Operation::atan:
      return unary(std::atan);
    case Operation::atan2:
      return binary(std::atan2);
    case Operation::sinh:
      return unary(std::sinh);
    case Operation::cosh:
      return unary(std::cosh);
    case Operation::tanh:
      return unary(std::tanh);
    case Operation::floor:
      return unary(std::floor);
    default:
      return nullptr;
  }
}

}  // namespace daelab
