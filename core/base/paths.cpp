#include "core/base/paths.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace daelab {

std::string project_root() {
  const char* root = std::getenv("DAELAB_ROOT");
  return root && *root ? root : DAELAB_SOURCE_DIR;
}

std::vector<std::string> json_files_below(const std::string& folder) {
  std::vector<std::string> files;
  for (const auto& file : std::filesystem::recursive_directory_iterator(folder))
    if (file.path().extension() == ".json") files.push_back(file.path().string());
  std::ranges::sort(files);
  return files;
}

}  // namespace daelab
