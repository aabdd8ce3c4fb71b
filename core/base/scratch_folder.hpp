// Folders for what work makes on its way.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include "core/base/input_error.hpp"

namespace daelab {

/// Gone with it, unless its content is to be looked at.
class ScratchFolder {
 public:
  /// Throws InputError, which ends with `advice`, where the folder cannot be made.
  explicit ScratchFolder(const std::string& name, const std::string& advice = "")
      : path_((std::filesystem::temp_directory_path() / (name + "-XXXXXX")).string()) {
    if (::mkdtemp(path_.data()) == nullptr) throw InputError("cannot make a folder like " + path_ + advice);
  }
  ~ScratchFolder() {
    std::error_code ignored;
    if (!kept_) std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::string& path() const { return path_; }
  void keep() { kept_ = true; }

 private:
  std::string path_;
  bool kept_ = false;
};

}  // namespace daelab
