// The files of a result set: never half written, never outside of its folder, and with checksums of themselves.
#pragma once

#include <sys/types.h>

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include "core/base/input_error.hpp"
#include "core/base/json.hpp"

namespace daelab {

/// An open file that closes itself.
class OpenFile {
 public:
  OpenFile() = default;
  /// Throws InputError when it cannot be opened; a symbolic link is refused, whatever it points to.
  OpenFile(const std::string& path, int flags);
  OpenFile(OpenFile&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  OpenFile& operator=(OpenFile&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~OpenFile();
  int fd() const { return fd_; }

 private:
  int fd_ = -1;
};

/// Waits until no other process writes into this folder, which exists, and keeps others out until the file closes. File
/// systems that cannot lock are trusted. Throws std::runtime_error when the user interrupts the wait.
OpenFile lock_when_free(const std::string& folder);

/// Throws InputError when `path` is a symbolic link: a set that came from elsewhere must not lead out of its folder.
void refuse_symbolic_link(const std::string& path);

/// Replaces a file of a result set as a whole; with `durably` it is on disk, too, when this returns.
void write_set_file(const std::string& path, const std::string& text, bool durably = false);

/// Removes `*.tmp` files that processes of this machine left below `dir` when they were killed.
void remove_left_over_files(const std::string& dir);

/// A file of a result set that is not as it was written.
struct DamagedFile : InputError {
  using InputError::InputError;
};

/// The text of a JSON object with a checksum of the text before it as its last member, "checksum".
std::string checked_text(const Json& object, int indent);
/// What checked_text() made, without that member. A file without a checksum, of an earlier version, is taken as it is.
/// Throws DamagedFile when the text is not as it was written, or no JSON.
Json read_checked_file(const std::string& path);

/// Lines that are appended by several threads. A line is handed to the operating system before append() returns, so
/// that nothing is lost when the program is killed, and is on disk some tens of milliseconds later, together with
/// others: a power cut may cost the lines of the last moment.
///
/// The file is looked after meanwhile: deleted or moved away, it is written anew from what is still open; replaced or
/// cut short by another program, append() and flush() throw std::runtime_error.
class AppendedFile {
 public:
  explicit AppendedFile(const std::string& path);
  ~AppendedFile();
  AppendedFile(const AppendedFile&) = delete;
  AppendedFile& operator=(const AppendedFile&) = delete;

  /// All of `text` or nothing of it; returns where it begins. Throws std::runtime_error when the disk refuses.
  off_t append(const std::string& text);
  /// Everything is on disk when it returns.
  void flush();
  /// Drops what follows these bytes.
  void cut(off_t bytes);
  int fd() const { return file_.fd(); }

 private:
  void keep_flushed();
  void look_after();
  void write_anew();
  void throw_failure() const;

  std::string path_;
  OpenFile file_;
  off_t size_ = 0;
  bool dirty_ = false, closing_ = false;
  std::string failure_;  // of the flusher, told to the next who appends
  std::mutex mutex_;
  std::condition_variable wake_;
  std::thread flusher_;  // from the first line on
};

}  // namespace daelab
