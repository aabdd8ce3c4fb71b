// Expressions from text, as people write formulas: m/2*(x'^2 + y'^2) - k*abs(x).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/base/input_error.hpp"
#include "core/expressions/expression.hpp"

namespace daelab {

/// A constant that has no value, as the root of a negative number: bad input, though the text is one.
class NoValue : public InputError {
 public:
  using InputError::InputError;
};

/// What the names in a text stand for; a name may end in primes (x' is the velocity of x).
using Names = std::map<std::string, Expression>;

/// Reads an expression into the graph of the present RecordingScope.
///
///   condition  = conjunction ("or" conjunction)*        conjunction = negation ("and" negation)*
///   negation   = "not" negation | comparison            comparison  = sum [("<" | "<=" | ">" | ">=" | "==") sum]
///   sum        = product (("+" | "-") product)*         product     = signed (("*" | "/") signed)*
///   signed     = ("+" | "-") signed | power             power       = atom ["^" signed]
///   atom       = number | pi | name | function "(" condition ("," condition)* ")" | "(" condition ")"
///
/// So -x^2 = -(x^2) and 2^3^2 = 2^9. Numbers are decimal and exact, constants are folded in 100 digits. Functions: sqrt
/// exp log sin cos tan asin acos atan atan2 sinh cosh tanh abs sign floor min max select(condition, a, b), and
/// truth(condition), which is 1 or 0. Throws InputError with the position in the text: for what does not follow the
/// grammar, unknown names and functions (and the nearest one), wrong numbers of arguments, constants outside a
/// function's domain, and for more than 200 levels of parentheses. NoValue where a constant has none.
Expression parse_expression(const std::string& text, const Names& names);

/// "a = b" is a - b; without "=" the expression itself, which is meant to be zero.
Expression parse_equation(const std::string& text, const Names& names);

/// The names in a text that are neither functions nor operators, each once, in their order. Throws nothing.
std::vector<std::string> names_in(const std::string& text);

/// The functions of the language.
std::vector<std::string> function_names();

/// Why a text cannot name anything in an expression: "" where it can. Names are letters, digits and _, beginning with a
/// letter, and not those of functions, operators or pi.
std::string name_refusal(const std::string& name);

}  // namespace daelab
