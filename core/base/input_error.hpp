// The one exception for bad input.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace daelab {

/// Bad input: the message says what is wrong, where, what is allowed, and the nearest valid name.
/// The program ends with exit code 2.
class InputError : public std::invalid_argument {
 public:
  explicit InputError(const std::string& what) : std::invalid_argument(what) {}
  /// `where` is a JSON pointer such as /method/r, or "" for the whole document.
  InputError(const std::string& where, const std::string& what)
      : std::invalid_argument(where.empty() ? what : where + ": " + what) {}
};

/// The candidate closest to `name` in edit distance, else the first that `name` begins, or "" when none
/// is near.
std::string nearest_name(const std::string& name, const std::vector<std::string>& candidates);

/// "; did you mean 'x'?" of the nearest name, what a message on an unknown one ends with; "" when none is near.
std::string did_you_mean(const std::string& name, const std::vector<std::string>& candidates);

}  // namespace daelab
