#include "core/base/paths.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <utility>

namespace daelab {

namespace {

std::string& chosen_root() {
  static std::string folder;
  return folder;
}

FileCopies& file_copies() {
  static FileCopies copies;
  return copies;
}

}  // namespace

std::string project_root() {
  if (!chosen_root().empty()) return chosen_root();
  const char* root = std::getenv("DAELAB_ROOT");
  return root && *root ? root : DAELAB_SOURCE_DIR;
}

void set_project_root(const std::string& folder) { chosen_root() = folder; }

void read_copies(FileCopies copies) { file_copies() = std::move(copies); }

std::string absolute_path(const std::string& path) {
  const std::filesystem::path begin = file_copies().folder;
  return (begin.empty() ? std::filesystem::absolute(path) : begin / path).lexically_normal().string();
}

std::string path_to_read(const std::string& path) {
  if (file_copies().copies.empty()) return path;
  const auto copy = file_copies().copies.find(absolute_path(path));
  return copy == file_copies().copies.end() ? path : copy->second;
}

std::vector<std::string> json_files_below(const std::string& folder) {
  std::vector<std::string> files;
  for (const auto& file : std::filesystem::recursive_directory_iterator(folder))
    if (file.path().extension() == ".json") files.push_back(file.path().string());
  std::ranges::sort(files);
  return files;
}

}  // namespace daelab
