// Memory for machine code.
#pragma once

#include <cstddef>
#include <string>

namespace daelab {

/// Pages of memory: writable until they are sealed, executable and not writable from then on, never both. Throws
/// std::runtime_error where the system grants no such memory.
class ExecutableMemory {
 public:
  explicit ExecutableMemory(std::size_t size);
  ~ExecutableMemory();
  ExecutableMemory(const ExecutableMemory&) = delete;
  ExecutableMemory& operator=(const ExecutableMemory&) = delete;

  void seal();
  std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  std::byte* data_;
  std::size_t size_;
};

/// "" where the system grants such memory, otherwise what it says.
const std::string& executable_memory_refusal();

}  // namespace daelab
