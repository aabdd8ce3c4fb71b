// Expressions as text that parse_expression reads back to the same node, and as LaTeX.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/expressions/graph.hpp"

namespace daelab {

enum class Notation { text, latex };

/// What a function is called in text, "sqrt", "atan2"; "" for operations that are no functions.
std::string function_name(Operation operation, Notation notation = Notation::text);

struct PrintOptions {
  Notation notation = Notation::text;
  /// Digits of constants that are no short decimals, fractions, surds or multiples of pi; 0: all that are needed.
  int digits = 0;
  /// What is used more than once and has more operations than this gets a name, and so does what is nested too deeply.
  int operations_inline = 10;
  /// Definitions are named e1, e2, ..., unless inputs are.
  std::string letter = "e";
};

/// Expressions and what they share. The length is linear in the number of nodes.
struct PrintedExpressions {
  std::vector<std::pair<std::string, std::string>> definitions;  // name and expression, each of inputs and earlier ones
  std::vector<std::string> expressions;
};

PrintedExpressions print(const Graph& graph, std::span<const Expression> expressions, const PrintOptions& options = {});

/// One expression without definitions; of more than 10000 operations only their number.
std::string text_of(const Graph& graph, const Expression& x, const PrintOptions& options = {});

}  // namespace daelab
