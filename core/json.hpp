// JSON values and the one exception for bad input.
#pragma once

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace daelab {

/// Keys keep the order they were written in: configs and records stay readable.
using Json = nlohmann::ordered_json;

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

/// Reads a JSON file. Throws InputError naming the file and, for bad syntax, line and column; for a key that an object
/// has twice, its place.
Json read_json_file(const std::string& path);

/// Writes through a temporary file and a rename, so that a reader never sees half a file.
void write_file(const std::string& path, const std::string& content);

}  // namespace daelab
