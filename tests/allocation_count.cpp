#include "tests/allocation_count.hpp"

#include <cstdlib>

#include "core/base/sanitizer.hpp"

#ifdef DAELAB_ADDRESS_SANITIZER
long daelab::allocations() { return 0; }
#else
namespace {
thread_local long allocation_count = 0;
}
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

void* malloc(std::size_t size) {
  ++allocation_count;
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  ++allocation_count;
  return __libc_calloc(count, size);
}
void* realloc(void* block, std::size_t size) {
  ++allocation_count;
  return __libc_realloc(block, size);
}
void* memalign(std::size_t alignment, std::size_t size) {
  ++allocation_count;
  return __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  ++allocation_count;
  return __libc_memalign(alignment, size);
}
}

long daelab::allocations() { return allocation_count; }
#endif
