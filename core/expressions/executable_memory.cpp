#include "core/expressions/executable_memory.hpp"

#include <algorithm>
#include <cerrno>
#include <stdexcept>
#include <system_error>

#if __has_include(<sys/mman.h>)
#include <sys/mman.h>
#endif

namespace daelab {

#if __has_include(<sys/mman.h>)

namespace {

[[noreturn]] void refuse() {
  throw std::runtime_error("the system grants no memory for machine code: " + std::generic_category().message(errno));
}

}  // namespace

ExecutableMemory::ExecutableMemory(std::size_t size) : size_(std::max<std::size_t>(size, 1)) {
  void* const pages = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) refuse();
  data_ = static_cast<std::byte*>(pages);
}

ExecutableMemory::~ExecutableMemory() { munmap(data_, size_); }

void ExecutableMemory::seal() {
  if (mprotect(data_, size_, PROT_READ | PROT_EXEC) != 0) refuse();
}

#else

ExecutableMemory::ExecutableMemory(std::size_t size) : data_(nullptr), size_(size) {
  throw std::runtime_error("memory for machine code is asked for on POSIX systems only");
}
ExecutableMemory::~ExecutableMemory() = default;
void ExecutableMemory::seal() {}

#endif

const std::string& executable_memory_refusal() {
  static const std::string refusal = [] {
    try {
      ExecutableMemory(1).seal();
    } catch (const std::runtime_error& error) {
      return std::string(error.what());
    }
    return std::string();
  }();
  return refusal;
}

}  // namespace daelab
