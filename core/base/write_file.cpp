#include "core/base/write_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "core/base/input_error.hpp"

namespace daelab {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void throw_not_writable(const std::string& path, int error) {
  const fs::path folder = fs::path(path).parent_path();
  if (!folder.empty() && !fs::is_directory(folder))
    throw InputError(fmt::format("cannot write {}: there is no folder {}", path, folder.string()));
  throw InputError(
      fmt::format("cannot write {}: {}", path, error ? std::strerror(error) : "the file cannot be opened"));
}

void write_plainly(const std::string& path, const std::string& content, const std::string& shown_path) {
  errno = 0;
  std::ofstream file(path, std::ios::binary);
  file << content;
  file.close();
  if (file) return;
  const int error = errno;
  std::error_code ignored;
  if (path != shown_path) fs::remove(path, ignored);
  throw_not_writable(shown_path, error);
}

}  // namespace

void write_file(const std::string& path, const std::string& content) {
  if (fs::is_directory(path)) throw InputError(fmt::format("cannot write {}: it is a directory", path));
  // A device or pipe (/dev/stdout) must be written to, not replaced.
  if (fs::exists(path) && !fs::is_regular_file(path)) return write_plainly(path, content, path);
  const std::string target = fs::is_symlink(path) ? fs::weakly_canonical(path).string() : path;
  static std::atomic<unsigned> counter{0};
  const std::string temporary = fmt::format("{}.{}-{}.tmp", target, ::getpid(), counter++);
  write_plainly(temporary, content, path);
  std::error_code error;
  fs::rename(temporary, target, error);
  if (!error) return;
  std::error_code ignored;
  fs::remove(temporary, ignored);
  throw_not_writable(path, error.value());
}

}  // namespace daelab
