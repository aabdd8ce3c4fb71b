// The one exception for bad input.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace daelab {

/// Bad input: what() says where, what is wrong, what is allowed, and the nearest valid name. The program ends with exit
/// code 2.
class InputError : public std::invalid_argument {
 public:
  explicit InputError(const std::string& message) : InputError("", message) {}
  /// `where` is a JSON pointer such as /method/r, an option such as --h, or "" for the whole document.
  /// UBSan looks types up through a pipe: where descriptors ran out, which this error then reports, it finds none.
  __attribute__((no_sanitize("vptr"))) InputError(const std::string& where, const std::string& message)
      : std::invalid_argument(where.empty() ? message : where + ": " + message), size_of_where_(where.size()) {}

  std::string where() const { return std::string(what(), size_of_where_); }
  /// What is wrong there, without the place.
  std::string message() const { return what() + (size_of_where_ == 0 ? 0 : size_of_where_ + 2); }
  /// Error with the file, or another source, in front of its place: "table-1.json: /runs/0/h".
  InputError in(const std::string& document) const;

 private:
  std::size_t size_of_where_;  // a copy of an exception must not throw: where and message are parts of one text
};

/// The candidate closest to `name` in edit distance, else the first that `name` begins, or "" when none
/// is near.
std::string nearest_name(const std::string& name, const std::vector<std::string>& candidates);

/// "; did you mean 'x'?" of the nearest name, what a message on an unknown one ends with; "" when none is near.
std::string did_you_mean(const std::string& name, const std::vector<std::string>& candidates);

}  // namespace daelab
