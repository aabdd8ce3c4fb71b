// The values that entries refer to, found in result sets.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "results/claims.hpp"

namespace daelab {

/// A value, or why there is none.
struct Found {
  Json value;
  std::string problem;
};

/// What `pointer` points to in `json`; null when there is nothing.
Json at_pointer(const Json& json, const std::string& pointer);

/// A JSON number, or the text of one (50 digits).
std::optional<double> as_double(const Json& json);

/// Reads values from result sets; each set is looked up once.
class ValueReader {
 public:
  explicit ValueReader(const ResultLookup& lookup) : lookup_(lookup) {}

  /// `failed_too`: values of failed runs count as well. Throws InputError under `id` where selectors match several.
  Found read(const Json& reference, const std::string& id, bool failed_too = false);

 private:
  Found read_one(const Json& reference, const std::string& id, bool failed_too);
  Found read_stored(const Json& reference, const std::string& id, bool failed_too);
  Found read_expression(const Json& reference, const std::string& id, bool failed_too);
  const std::optional<ResultSet>& set_named(const std::string& name);

  const ResultLookup& lookup_;
  std::map<std::string, std::optional<ResultSet>> sets_;
};

}  // namespace daelab
