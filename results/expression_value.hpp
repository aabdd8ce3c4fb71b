// Expressions over results, in the language of problem files (core/expressions/parse.hpp,
// core/documents/indexed_text.hpp).
#pragma once

#include <map>
#include <string>
#include <vector>

namespace daelab {

/// What names in an expression stand for. Entries of lists count from 1: x[1].
struct NamedValues {
  std::map<std::string, double> numbers = {};
  std::map<std::string, std::vector<double>> lists = {};
};

/// The value of an expression, evaluated in 100 digits. Throws NoValue where it has none, as at a division by zero, and
/// InputError for what the language does not allow.
double expression_value(const std::string& text, const NamedValues& values);

/// Why an expression cannot be evaluated for each entry of the lists; "" if the lists have equal lengths.
std::string refusal_of_each(const NamedValues& values);

/// Its values for the entries of the lists one by one, which their names stand for.
std::vector<double> expression_values(const std::string& text, const NamedValues& values);

}  // namespace daelab
