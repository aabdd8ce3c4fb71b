// JSON files that people write.
#pragma once

#include <string>

#include "core/base/json.hpp"

namespace daelab {

/// Reads a JSON file. Throws InputError naming the file and, for bad syntax, line and column; for a key that an object
/// has twice, its place.
Json read_json_file(const std::string& path);

}  // namespace daelab
