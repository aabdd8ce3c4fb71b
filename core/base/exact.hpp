// Exact constants: decimal or symbolic text, evaluated in 100 digits, rounded once.
#pragma once

#include <optional>
#include <string>

#include "core/base/json.hpp"
#include "core/base/scalar.hpp"

namespace daelab {

/// A constant given as text: "9.81", "1/3", "sqrt(3)", "(4 - sqrt(6))/10", "pi/3", "-2.5e-3".
/// Grammar: + - * / ^ (integer power), parentheses, sqrt cos sin tan exp log, pi; numbers are
/// decimal. A number directly before a name multiplies it: "2 sqrt(3)"; behind a / that is refused,
/// because "1/2 pi" can be read in two ways. Throws InputError for malformed text (with the
/// position) and for division by zero.
class Exact {
 public:
  Exact(const char* text);  // NOLINT: implicit on purpose, constants are written as text
  Exact(std::string text);  // NOLINT
  Exact(int value);         // NOLINT
  Exact() : Exact(0) {}
  const std::string& text() const { return text_; }
  const Real100& value() const { return value_; }
  template <class T>
  T as() const {
    return static_cast<T>(value_);
  }

 private:
  std::string text_;
  Real100 value_;
};

/// The decimal places of a plain number: "0.25" 2, "-1.5e-3" 4, "12" 0; nothing for all other text.
std::optional<int> decimal_places(const std::string& text);

/// A JSON number is read by its shortest decimal form (0.1 means 1/10); a string as written. Throws InputError under
/// `pointer`, also for numbers beyond the range of double.
Exact exact_from_json(const Json& json, const std::string& pointer);

/// "3/8", "-2", or if x is no fraction (core/base/rational.hpp): the first 40 digits in decimal.
std::string fraction_or_decimal(const Real100& x);

/// A fraction, a quadratic surd, or else the first 40 digits in decimal.
std::string exact_text(const Real100& x);

}  // namespace daelab
