// Folders for what a verb makes on its way.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include "core/base/input_error.hpp"

namespace daelab::app {

/// Gone with it, unless its content is to be looked at.
class TemporaryFolder {
 public:
  /// Throws InputError, which ends with `advice`, where the folder cannot be made.
  explicit TemporaryFolder(const std::string& name, const std::string& advice = "")
      : path_((std::filesystem::temp_directory_path() / (name + "-XXXXXX")).string()) {
    if (::mkdtemp(path_.data()) == nullptr) throw InputError("cannot make a folder like " + path_ + advice);
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    if (!kept_) std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }
  void keep() { kept_ = true; }

 private:
  std::string path_;
  bool kept_ = false;
};

}  // namespace daelab::app
