// Files that tests read as a whole.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace daelab {

/// The bytes of a file, "" if there is none.
inline std::string read_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace daelab
