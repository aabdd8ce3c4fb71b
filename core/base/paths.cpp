#include "core/base/paths.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "core/base/input_error.hpp"
#include "source_folder.hpp"

namespace daelab {

namespace {

namespace fs = std::filesystem;

std::string& chosen_root() {
  static std::string folder;
  return folder;
}

FileCopies& file_copies() {
  static FileCopies copies;
  return copies;
}

// An installed program may have been moved with its prefix, and the sources it was built from may be there or gone.
std::string root_of_program() {
  const fs::path installed = fs::path(program_folder()).parent_path() / "share/daelab";
  return fs::is_directory(installed / "methods") ? installed.string() : DAELAB_SOURCE_DIR;
}

}  // namespace

std::string program_folder() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error).parent_path().string();
}

std::string program_part(const std::string& name) {
  const fs::path folder = program_folder(), installed = folder.parent_path() / "lib/daelab" / name;
  return fs::exists(installed) ? installed.string() : (folder / name).string();
}

std::string project_root() {
  if (!chosen_root().empty()) return chosen_root();
  if (const char* root = std::getenv("DAELAB_ROOT"); root && *root) return root;
  static const std::string found = root_of_program();
  return found;
}

void set_project_root(const std::string& folder) { chosen_root() = folder; }

void read_copies(FileCopies copies) { file_copies() = std::move(copies); }

std::string absolute_path(const std::string& path) {
  const fs::path begin = file_copies().folder;
  return (begin.empty() ? fs::absolute(path) : begin / path).lexically_normal().string();
}

std::string path_to_read(const std::string& path) {
  if (file_copies().copies.empty()) return path;
  const auto copy = file_copies().copies.find(absolute_path(path));
  return copy == file_copies().copies.end() ? path : copy->second;
}

void require_copy(const std::string& path) {
  if (file_copies().folder.empty() || file_copies().copies.contains(absolute_path(path))) return;
  throw InputError(path, "the inputs that are kept have no copy of this file");
}

std::vector<std::string> json_files_below(const std::string& folder) {
  std::vector<std::string> files;
  for (const auto& file : fs::recursive_directory_iterator(folder))
    if (file.path().extension() == ".json") files.push_back(file.path().string());
  std::ranges::sort(files);
  return files;
}

}  // namespace daelab
