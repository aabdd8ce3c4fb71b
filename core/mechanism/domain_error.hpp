// Places at which an expression leaves its domain: what a run is told when numbers stop being finite.
#pragma once

#include <span>
#include <string>

#include "core/expressions/graph.hpp"

namespace daelab {

/// The first of these expressions whose value is not finite, and the operation that made it so of finite operands.
struct DomainError {
  int expression = -1;    // -1: all are finite
  std::string operation;  // "sqrt(x - 1), of -0.25"
};

/// inputs[block][index], as programs have them.
template <class T>
DomainError find_domain_error(const Graph& graph, std::span<const Expression> expressions, const T* const* inputs);

}  // namespace daelab
