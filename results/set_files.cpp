#include "results/set_files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <vector>

#include "core/base/context.hpp"
#include "core/base/input_error.hpp"
#include "core/base/json_file.hpp"
#include "core/base/write_file.hpp"
#include "results/provenance.hpp"

namespace daelab {
namespace {

namespace fs = std::filesystem;

constexpr auto flush_interval = std::chrono::milliseconds(40);

constexpr const char* is_a_link =
    "it is a symbolic link, and result sets do not follow links: put the file itself there";

bool is_hash(std::string_view text) {
  return text.size() == 32 && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

constexpr const char* checksum = "checksum";

bool is_as_written(const std::string& text, const Json& json) {
  const std::size_t place = text.rfind(fmt::format("\"{}\": \"", checksum));
  if (place == std::string::npos || !json[checksum].is_string()) return false;
  std::size_t end = text.find_last_not_of(" \n", place - 1);
  if (end != std::string::npos && text[end] == ',') --end;
  return json[checksum] == content_hash(text.substr(0, end + 1));
}

// As a checksum under a name that was changed.
bool ends_with_hash(const Json& json) {
  if (json.empty()) return false;
  const Json& last = json.items().back().second;
  return last.is_string() && is_hash(last.get<std::string>());
}

}  // namespace

OpenFile::OpenFile(const std::string& path, int flags)
    : fd_(::open(path.c_str(), flags | O_CLOEXEC | O_NOFOLLOW, 0666)) {
  if (fd_ >= 0) return;
  const char* verb = (flags & O_ACCMODE) == O_RDONLY ? "read" : "write";
  const std::string cause = errno == ELOOP    ? is_a_link
                            : errno == EMFILE ? "too many open files; ulimit -n says how many there may be"
                                              : std::strerror(errno);
  throw InputError(fmt::format("cannot {} {}: {}", verb, path, cause));
}

OpenFile::~OpenFile() {
  if (fd_ >= 0) ::close(fd_);
}

OpenFile lock_when_free(const std::string& folder) {
  OpenFile lock(fs::canonical(folder).string(), O_RDONLY | O_DIRECTORY);
  while (::flock(lock.fd(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    if (interrupt_requested()) throw std::runtime_error("interrupted");
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return lock;
}

void refuse_symbolic_link(const std::string& path) {
  if (fs::is_symlink(path)) throw InputError(fmt::format("cannot use {}: {}", path, is_a_link));
}

void write_set_file(const std::string& path, const std::string& text, bool durably) {
  refuse_symbolic_link(path);
  write_file(path, text, durably);
}

void remove_left_over_files(const std::string& dir) {
  remove_unfinished_files(dir);
  std::error_code error;
  for (auto entry = fs::recursive_directory_iterator(dir, error); entry != fs::recursive_directory_iterator();
       entry.increment(error)) {
    if (error) return;
    if (entry->symlink_status().type() == fs::file_type::directory) remove_unfinished_files(entry->path().string());
  }
}

std::string checked_text(const Json& object, int indent) {
  std::string text = object.dump(indent);
  text.erase(text.find_last_not_of(" \n", text.size() - 2) + 1);  // the brace that ends it
  const std::string hash = content_hash(text);
  return fmt::format("{}{}\n{}\"{}\": \"{}\"\n}}\n", text, object.size() > 0 ? "," : "",
                     std::string(static_cast<std::size_t>(indent), ' '), checksum, hash);
}

Json read_checked_file(const std::string& path) {
  refuse_symbolic_link(path);
  Json json = [&] {
    try {
      return read_json_file(path);
    } catch (const InputError& error) {
      throw DamagedFile(error.what());
    }
  }();
  if (!json.is_object()) return json;
  const std::string text = file_bytes(path).value_or("");
  if (json.contains(checksum) ? !is_as_written(text, json) : ends_with_hash(json))
    throw DamagedFile(fmt::format("{} is not as it was written: its checksum does not match", path));
  json.erase(checksum);
  return json;
}

AppendedFile::AppendedFile(const std::string& path) : path_(path), file_(path, O_RDWR | O_CREAT | O_APPEND) {
  size_ = ::lseek(file_.fd(), 0, SEEK_END);
}

AppendedFile::~AppendedFile() {
  {
    const std::lock_guard guard(mutex_);
    closing_ = true;
  }
  wake_.notify_all();
  if (flusher_.joinable()) flusher_.join();
  if (dirty_) ::fsync(file_.fd());
}

off_t AppendedFile::append(const std::string& text) {
  const std::lock_guard guard(mutex_);
  throw_failure();
  if (const int error = write_all(file_.fd(), text); error != 0) {
    std::string cause = std::strerror(error);
    if (::ftruncate(file_.fd(), size_) != 0) cause += "; its last line is torn";
    throw std::runtime_error(fmt::format("cannot append to {}: {}", path_, cause));
  }
  const off_t begin = size_;
  size_ += static_cast<off_t>(text.size());
  if (!dirty_) {
    dirty_ = true;
    if (!flusher_.joinable()) flusher_ = std::thread([this] { keep_flushed(); });
    wake_.notify_all();
  }
  return begin;
}

void AppendedFile::flush() {
  const std::lock_guard guard(mutex_);
  throw_failure();
  look_after();
  throw_failure();
  if (dirty_ && ::fsync(file_.fd()) != 0) failure_ = std::strerror(errno);
  dirty_ = false;
  throw_failure();
}

void AppendedFile::cut(off_t bytes) {
  const std::lock_guard guard(mutex_);
  if (::ftruncate(file_.fd(), bytes) != 0)
    throw InputError(fmt::format("cannot write {}: {}", path_, std::strerror(errno)));
  size_ = bytes;
}

// Lines that come while the disk works are written in the meantime, and flushed next.
void AppendedFile::keep_flushed() {
  std::unique_lock guard(mutex_);
  while (!closing_) {
    wake_.wait(guard, [this] { return dirty_ || closing_; });
    if (closing_) return;
    wake_.wait_for(guard, flush_interval, [this] { return closing_; });
    dirty_ = false;
    look_after();
    guard.unlock();
    const int refused = ::fsync(file_.fd()) == 0 ? 0 : errno;
    guard.lock();
    if (refused != 0 && failure_.empty()) failure_ = std::strerror(refused);
  }
}

// Whether the file is still at its path, whole.
void AppendedFile::look_after() {
  struct stat here {};
  struct stat there {};
  if (!failure_.empty() || ::fstat(file_.fd(), &here) != 0) return;
  if (here.st_size < size_) {
    failure_ = "another program cut it short; the runs it lost are computed again by the next call";
  } else if (::lstat(path_.c_str(), &there) != 0) {
    if (errno == ENOENT) write_anew();
  } else if (here.st_ino != there.st_ino || here.st_dev != there.st_dev) {
    failure_ = "another file was put in its place; the runs since then are not stored";
  }
}

// What was deleted is still there for those who have it open.
void AppendedFile::write_anew() {
  try {
    OpenFile file(path_, O_RDWR | O_CREAT | O_EXCL | O_APPEND);
    std::vector<char> block(1 << 20);
    for (off_t at = 0; at < size_;) {
      const ssize_t count = ::pread(file_.fd(), block.data(), block.size(), at);
      if (count <= 0) throw InputError(std::strerror(errno));
      if (const int error = write_all(file.fd(), {block.data(), static_cast<std::size_t>(count)}); error != 0)
        throw InputError(std::strerror(error));
      at += count;
    }
    // The same number for the new file: others read by it at this moment.
    if (::dup3(file.fd(), file_.fd(), O_CLOEXEC) < 0) throw InputError(std::strerror(errno));
    dirty_ = true;
    fmt::print(stderr, "{} was deleted by another program; it is written anew, nothing is lost\n", path_);
  } catch (const InputError& error) {
    failure_ = fmt::format("it was deleted by another program and cannot be written anew ({})", error.what());
  }
}

void AppendedFile::throw_failure() const {
  if (!failure_.empty()) throw std::runtime_error(fmt::format("cannot append to {}: {}", path_, failure_));
}

}  // namespace daelab
