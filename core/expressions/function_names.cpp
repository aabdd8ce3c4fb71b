#include <algorithm>
#include <iterator>

#include "core/expressions/text.hpp"

namespace daelab {
namespace {

struct FunctionName {
  Operation operation;
  const char* text;
  const char* latex;
};
constexpr FunctionName function_names[] = {{Operation::sqrt, "sqrt", "sqrt"},
                                           {Operation::exp, "exp", "\\exp"},
                                           {Operation::log, "log", "\\ln"},
                                           {Operation::sin, "sin", "\\sin"},
                                           {Operation::cos, "cos", "\\cos"},
                                           {Operation::tan, "tan", "\\tan"},
                                           {Operation::asin, "asin", "\\arcsin"},
                                           {Operation::acos, "acos", "\\arccos"},
                                           {Operation::atan, "atan", "\\arctan"},
                                           {Operation::atan2, "atan2", "\\operatorname{atan2}"},
                                           {Operation::sinh, "sinh", "\\sinh"},
                                           {Operation::cosh, "cosh", "\\cosh"},
                                           {Operation::tanh, "tanh", "\\tanh"},
                                           {Operation::abs, "abs", "abs"},
                                           {Operation::sign, "sign", "\\operatorname{sgn}"},
                                           {Operation::floor, "floor", "floor"},
                                           {Operation::min, "min", "\\min"},
                                           {Operation::max, "max", "\\max"}};

}  // namespace

std::string function_name(Operation operation, Notation notation) {
  const auto found = std::ranges::find(function_names, operation, &FunctionName::operation);
  if (found == std::end(function_names)) return "";
  return notation == Notation::latex ? found->latex : found->text;
}

}  // namespace daelab
