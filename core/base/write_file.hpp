// Files that are there in whole or not at all.
#pragma once

#include <string>

namespace daelab {

/// Writes through a temporary file and a rename, so that a reader never sees half a file.
void write_file(const std::string& path, const std::string& content);

}  // namespace daelab
