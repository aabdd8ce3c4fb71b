// The functions of the C library that machine code calls.
#pragma once

#include "core/expressions/expression.hpp"

namespace daelab {

/// The address of the function of one double or two that the interpreter calls too; null for other operations.
const void* library_function(Operation operation);

}  // namespace daelab
