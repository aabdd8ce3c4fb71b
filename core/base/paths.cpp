#include "core/base/paths.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace daelab {

std::string project_root() {
  const char* root = std::getenv("DAELAB_ROOT");
  return root && *root ? root : DAELAB_SOURCE_DIR;
}

std::string folder_name_refusal(const std::string& name) {
  constexpr std::size_t longest = 200;  // of most file systems 255
  const bool controls = std::ranges::any_of(name, [](unsigned char c) { return c < 32 || c == 127; });
  if (!controls && name.find_first_of("/\\") == std::string::npos && !name.starts_with(".") && name.size() <= longest)
    return "";
  return "names a folder: it must not contain slashes or control characters, begin with a dot or be longer than " +
         std::to_string(longest) + " bytes";
}

std::vector<std::string> json_files_below(const std::string& folder) {
  std::vector<std::string> files;
  for (const auto& file : std::filesystem::recursive_directory_iterator(folder))
    if (file.path().extension() == ".json") files.push_back(file.path().string());
  std::ranges::sort(files);
  return files;
}

}  // namespace daelab
