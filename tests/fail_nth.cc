// Loaded before the C library: the n-th call that allocates memory, or that changes a file, fails once.
//
// FAIL_ALLOCATION=n or FAIL_WRITE=n; 0 fails none. FAULT_COUNT names a file that gets "allocations writes", the calls that
// there were, when the program ends. Programs that this one starts are left alone.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
}

namespace {

std::atomic<long> allocations{0}, writes{0};
long failing_allocation = 0, failing_write = 0;
const char* count_file = nullptr;

long asked(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? 0 : std::atol(text);
}

__attribute__((constructor)) void begin() {
  failing_allocation = asked("FAIL_ALLOCATION"), failing_write = asked("FAIL_WRITE");
  count_file = std::getenv("FAULT_COUNT");
  unsetenv("LD_PRELOAD");
}

__attribute__((destructor)) void end() {
  if (count_file == nullptr) return;
  const long counted[] = {allocations, writes};
  if (std::FILE* file = std::fopen(count_file, "w")) {
    std::fprintf(file, "%ld %ld\n", counted[0], counted[1]);
    std::fclose(file);
  }
}

bool memory_fails() { return ++allocations == failing_allocation; }

// No space is left; or, for every third, the disk is broken.
bool disk_fails() {
  const long n = ++writes;
  if (n != failing_write) return false;
  errno = n % 3 == 0 ? EIO : ENOSPC;
  return true;
}

template <class Function>
Function next(Function, const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

bool makes_files(int flags) { return (flags & (O_CREAT | O_TRUNC)) != 0; }

}  // namespace

extern "C" {

void* malloc(std::size_t size) noexcept {
  if (memory_fails()) return errno = ENOMEM, nullptr;
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) noexcept {
  if (memory_fails()) return errno = ENOMEM, nullptr;
  return __libc_calloc(count, size);
}
void* realloc(void* before, std::size_t size) noexcept {
  if (memory_fails()) return errno = ENOMEM, nullptr;
  return __libc_realloc(before, size);
}

ssize_t write(int file, const void* bytes, std::size_t size) {
  static const auto original = next(write, "write");
  return file > 2 && disk_fails() ? -1 : original(file, bytes, size);
}
ssize_t writev(int file, const iovec* pieces, int count) {
  static const auto original = next(writev, "writev");
  return file > 2 && disk_fails() ? -1 : original(file, pieces, count);
}
int fsync(int file) {
  static const auto original = next(fsync, "fsync");
  return disk_fails() ? -1 : original(file);
}
int ftruncate(int file, off_t size) noexcept {
  static const auto original = next(ftruncate, "ftruncate");
  return disk_fails() ? -1 : original(file, size);
}
int rename(const char* from, const char* to) noexcept {
  static const auto original = next(rename, "rename");
  return disk_fails() ? -1 : original(from, to);
}
int mkdir(const char* path, mode_t mode) noexcept {
  static const auto original = next(mkdir, "mkdir");
  return disk_fails() ? -1 : original(path, mode);
}
int open(const char* path, int flags, ...) {
  static const auto original = next(open, "open");
  std::va_list rest;
  va_start(rest, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  return makes_files(flags) && disk_fails() ? -1 : original(path, flags, mode);
}

}  // extern "C"
