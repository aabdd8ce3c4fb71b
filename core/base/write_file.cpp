#include "core/base/write_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include "core/base/descriptor.hpp"
#include "core/base/input_error.hpp"
#include "core/base/interrupted.hpp"

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

// 0, or the errno of what failed.
int write_new_file(const std::string& path, const std::string& content, bool durably) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (file < 0) return errno;
  int error = write_all(file, content);
  if (error == 0 && durably && ::fsync(file) != 0) error = errno;
  if (::close(file) != 0 && error == 0) error = errno;
  return error;
}

// "index.html.<process>-<number>.tmp": not the name of any file, nor of one left by a process of before that had the
// same number.
std::string unused_name(const std::string& path) {
  static std::atomic<unsigned> counter{0};
  for (;;) {
    std::string name = fmt::format("{}.{}-{}.tmp", path, ::getpid(), counter++);
    if (!fs::exists(fs::symlink_status(name))) return name;
  }
}

// The process that wrote such a file.
std::optional<pid_t> writer_of(std::string_view name) {
  if (!name.ends_with(".tmp")) return std::nullopt;
  name.remove_suffix(4);
  name.remove_prefix(std::min(name.size(), name.rfind('.') + 1));
  const char* const end = name.data() + name.size();
  pid_t writer = 0;
  unsigned number = 0;
  const auto process = std::from_chars(name.data(), end, writer);
  if (process.ec != std::errc() || writer <= 0 || process.ptr == end || *process.ptr != '-') return std::nullopt;
  const auto rest = std::from_chars(process.ptr + 1, end, number);
  return rest.ec == std::errc() && rest.ptr == end ? std::optional(writer) : std::nullopt;
}

constexpr int tenth = 100;  // [ms], until somebody who asks to stop is noticed

// For who reads a pipe.
std::unique_ptr<const Descriptor> opened_for_writing(const std::string& path) {
  while (true) {
    auto file = std::make_unique<const Descriptor>(path, O_WRONLY | O_NONBLOCK);
    if (file->fd() >= 0 || errno != ENXIO) return file;
    stop_where_interrupted();
    ::poll(nullptr, 0, tenth);
  }
}

// To a device or a pipe, which is waited for where it has no room. The errno of what failed.
int write_to_device(const std::string& path, std::string_view text) {
  const auto file = opened_for_writing(path);
  if (file->fd() < 0) return errno;
  while (!text.empty()) {
    stop_where_interrupted();
    const ssize_t count = ::write(file->fd(), text.data(), text.size());
    if (count < 0 && errno != EINTR && errno != EAGAIN) return errno;
    if (count > 0) text.remove_prefix(static_cast<std::size_t>(count));
    pollfd one{file->fd(), POLLOUT, 0};
    if (count < 0) ::poll(&one, 1, tenth);
  }
  return 0;
}

}  // namespace

int write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(file, text.data(), text.size());
    if (count < 0 && errno != EINTR) return errno;
    if (count > 0) text.remove_prefix(static_cast<std::size_t>(count));
  }
  return 0;
}

std::optional<std::string> file_bytes(const std::string& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return std::nullopt;  // opening a pipe would wait for who writes to it
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::string bytes{std::istreambuf_iterator<char>(file), {}};
  return file.bad() ? std::nullopt : std::optional(std::move(bytes));
}

void write_file(const std::string& path, const std::string& content, bool durably) {
  const fs::file_status status = fs::symlink_status(path);
  if (fs::is_directory(status)) throw InputError(fmt::format("cannot write {}: it is a directory", path));
  if (fs::exists(status) && !fs::is_regular_file(status) && !fs::is_symlink(status))
    throw InputError(fmt::format("cannot write {}: it is a device or a pipe, not a file", path));
  const std::string temporary = unused_name(path);
  int error = write_new_file(temporary, content, durably);
  if (error == 0 && ::rename(temporary.c_str(), path.c_str()) != 0) error = errno;
  if (error == 0) return;
  if (error != EEXIST) ::unlink(temporary.c_str());
  throw_not_writable(path, error);
}

void write_named_file(const std::string& path, const std::string& content) {
  if (!fs::exists(path) || fs::is_regular_file(path) || fs::is_directory(path))
    return write_file(fs::is_symlink(path) ? fs::weakly_canonical(path).string() : path, content);
  if (const int error = write_to_device(path, content); error != 0) throw_not_writable(path, error);
}

void remove_unfinished_files(const std::string& folder) {
  std::error_code ignored;
  std::vector<fs::path> left;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    const std::optional<pid_t> writer = writer_of(entry.path().filename().string());
    if (writer && entry.symlink_status().type() == fs::file_type::regular && ::kill(*writer, 0) != 0 && errno == ESRCH)
      left.push_back(entry.path());
  }
  for (const fs::path& file : left) fs::remove(file, ignored);
}

}  // namespace daelab
