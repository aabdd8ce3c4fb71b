// A descriptor of a file, closed with the object that holds it.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <string>

namespace daelab {

class Descriptor {
 public:
  /// By open(2), closed in programs that are started; below 0 where errno says why not.
  Descriptor(const std::string& path, int flags) : fd_(::open(path.c_str(), flags | O_CLOEXEC)) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int fd() const { return fd_; }

 private:
  int fd_;
};

}  // namespace daelab
