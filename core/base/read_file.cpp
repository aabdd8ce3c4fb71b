#include "core/base/read_file.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "core/base/descriptor.hpp"
#include "core/base/input_error.hpp"
#include "core/base/interrupted.hpp"
#include "core/base/limits.hpp"

namespace daelab {
namespace {

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw InputError(fmt::format("cannot read {}: {}", path, why));
}

// A signal that comes between the question and the wait is seen a tenth of a second later.
void wait_for_bytes(int fd) {
  constexpr int tenth = 100;  // [ms]
  for (pollfd one{fd, POLLIN, 0}; ::poll(&one, 1, tenth) <= 0;) stop_where_interrupted();
}

// A pipe with a name, which nobody need have opened yet for writing: it reads as empty until then.
bool is_named_pipe(int fd, const struct stat& status) {
  if (!S_ISFIFO(status.st_mode)) return false;
  std::error_code error;
  const std::string target = std::filesystem::read_symlink(fmt::format("/proc/self/fd/{}", fd), error).string();
  return !error && !target.starts_with("pipe:");
}

}  // namespace

std::string read_whole(const std::string& path, std::size_t most) {
  const Descriptor file(path, O_RDONLY | O_NONBLOCK);  // a pipe without waiting for who writes to it
  struct stat status {};
  if (file.fd() < 0 || ::fstat(file.fd(), &status) != 0) refuse(path, std::strerror(errno));
  if (S_ISDIR(status.st_mode)) refuse(path, "it is a directory");
  std::string text;
  bool has_begun = !is_named_pipe(file.fd(), status);
  for (std::array<char, 1 << 16> piece;;) {  // piece by piece: a device such as /dev/zero has no end
    stop_where_interrupted();
    const ssize_t count = ::read(file.fd(), piece.data(), piece.size());
    if (count == 0 && has_begun) return text;
    if (count < 0 && errno != EINTR && errno != EAGAIN) refuse(path, std::strerror(errno));
    if (count > 0) text.append(piece.data(), static_cast<std::size_t>(count));
    if (text.size() > most)
      throw InputError(fmt::format("{}: longer than {} bytes {}", path, most, limit_hint("file-bytes")));
    if (count <= 0) wait_for_bytes(file.fd());
    has_begun = true;
  }
}

}  // namespace daelab
