#include "fuzz/target.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "core/base/input_error.hpp"
#include "core/base/message.hpp"
#include "core/base/utf8.hpp"

namespace daelab::fuzzing {
namespace {

namespace fs = std::filesystem;

struct ScratchFolder {
  // In memory where there is such a folder: a case writes files.
  std::string path = std::string(fs::is_directory("/dev/shm") ? "/dev/shm" : "/tmp") + "/daelab-fuzz-XXXXXX";
  ScratchFolder() {
    if (::mkdtemp(path.data()) == nullptr) throw std::runtime_error("cannot make " + path);
  }
  ~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
};

std::string wrong_message(const std::string& input, const std::string& raw) {
  const std::string message = readable_message(raw);
  if (message.empty()) return "refused without a word";
  if (message.size() > 2000) return fmt::format("a message of {} bytes", message.size());
  const auto shows_exception = [](const std::string& text) { return text.find("[json.exc") != std::string::npos; };
  if (shows_exception(message) && !shows_exception(input)) return "a raw JSON exception: " + message;
  if (as_utf8(message) != message) return "a message that is not UTF-8";
  if (message.find("\uFFFD") != std::string::npos && input.find("\uFFFD") == std::string::npos &&
      as_utf8(input) == input)
    return "a message that cuts characters: " + message;
  return "";
}

}  // namespace

std::map<std::string, Target>& targets() {
  static std::map<std::string, Target> all;
  return all;
}

std::string finding(Target target, const std::string& input) {
  try {
    target(input);
    return "";
  } catch (const InputError& error) {
    return wrong_message(input, error.what());
  } catch (const std::exception& error) {
    return fmt::format("an exception that is no InputError: {}", error.what());
  }
}

const std::string& scratch_folder() {
  static const ScratchFolder folder;
  return folder.path;
}

std::string scratch_file(const std::string& name, const std::string& content) {
  const fs::path path = fs::path(scratch_folder()) / name;
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << content;
  return path.string();
}

}  // namespace daelab::fuzzing
