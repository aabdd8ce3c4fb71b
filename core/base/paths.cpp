#include "core/base/paths.hpp"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "core/base/context.hpp"
#include "core/base/input_error.hpp"

namespace daelab {

namespace {

namespace fs = std::filesystem;

const FileCopies* file_copies() { return Context::current().copies.get(); }

// The folder of the shared library that this code is in, or of the program, which has no name in the dynamic linker.
fs::path folder_of_this_code() {
  static const char here = 0;
  Dl_info info;
  void* map = nullptr;
  std::error_code error;
  if (::dladdr1(&here, &info, &map, RTLD_DL_LINKMAP) != 0 && *static_cast<link_map*>(map)->l_name != 0)
    return fs::canonical(static_cast<link_map*>(map)->l_name, error).parent_path();
  return fs::read_symlink("/proc/self/exe", error).parent_path();
}

// A prefix may have been moved. A build has the name of its sources in a file, so that no object file depends on it.
std::string root_of_this_code() {
  const fs::path installed = folder_of_this_code().parent_path() / "share/daelab";
  return fs::is_directory(installed / "methods") ? installed.string() : source_folder_of_build();
}

}  // namespace

std::string program_part(const std::string& name) {
  const fs::path folder = folder_of_this_code(), installed = folder.parent_path() / "lib/daelab" / name;
  return fs::exists(installed) ? installed.string() : (folder / name).string();
}

std::string source_folder_of_build() {
  static const std::string folder = [] {
    std::string name;
    std::ifstream file(folder_of_this_code() / "source_folder");
    std::getline(file, name);
    return name;
  }();
  return folder;
}

std::string project_root() {
  if (const std::string& chosen = Context::current().project_root; !chosen.empty()) return chosen;
  if (const char* root = std::getenv("DAELAB_ROOT"); root && *root) return root;
  static const std::string found = root_of_this_code();
  return found;
}

bool copies_are_read() { return file_copies() != nullptr; }

std::string absolute_path(const std::string& path) {
  return (copies_are_read() ? file_copies()->folder / fs::path(path) : fs::absolute(path)).lexically_normal().string();
}

std::string path_to_read(const std::string& path) {
  if (!copies_are_read()) return path;
  const auto copy = file_copies()->copies.find(absolute_path(path));
  return copy == file_copies()->copies.end() ? path : copy->second;
}

void require_copy(const std::string& path) {
  if (!copies_are_read() || file_copies()->copies.contains(absolute_path(path))) return;
  throw InputError(path,
                   "is none of the files that may be read here, those of the pack or of the inputs that are kept");
}

std::vector<std::string> json_files_below(const std::string& folder) {
  std::vector<std::string> files;
  if (!fs::is_directory(folder)) return files;
  for (const auto& file : fs::recursive_directory_iterator(folder))
    if (file.path().extension() == ".json") files.push_back(file.path().string());
  std::ranges::sort(files);
  return files;
}

}  // namespace daelab
