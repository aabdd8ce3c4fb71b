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

/// In place: whoever has the file open sees it.
inline void change_byte(const std::filesystem::path& path, std::size_t place, char byte) {
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  file.seekp(static_cast<std::streamoff>(place)).put(byte);
}

}  // namespace daelab
