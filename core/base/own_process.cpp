#include "core/base/own_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <new>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "core/base/context.hpp"
#include "core/base/input_error.hpp"

namespace daelab {
namespace {

// The first bytes that a child hands over: how it ended and how much follows.
struct Head {
  enum class Kind : std::uint64_t { result, refusal, no_memory } kind;
  std::uint64_t size;
};

void lower_limit(int resource, rlim_t value) {
  rlimit limit{};
  ::getrlimit(static_cast<__rlimit_resource_t>(resource), &limit);
  limit.rlim_cur = std::min(limit.rlim_cur, std::min(limit.rlim_max, value));
  ::setrlimit(static_cast<__rlimit_resource_t>(resource), &limit);
}

std::size_t bytes_of_this_process() {
  unsigned long pages = 0;
  if (std::FILE* const file = std::fopen("/proc/self/statm", "r")) {
    for (int c = std::fgetc(file); c >= '0' && c <= '9'; c = std::fgetc(file))
      pages = 10 * pages + static_cast<unsigned long>(c - '0');
    std::fclose(file);
  }
  return pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

void restrict_this_process(const ProcessLimits& limits) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (const int signal : {SIGINT, SIGTERM, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGPIPE})
    std::signal(signal, SIG_DFL);
  lower_limit(RLIMIT_CORE, 0);
  lower_limit(RLIMIT_CPU, limits.seconds);
  constexpr std::size_t shadow = std::size_t(1) << 40;  // AddressSanitizer's memory about memory is in no limit
  if (const std::size_t now = bytes_of_this_process(); now > 0 && now < shadow)
    lower_limit(RLIMIT_AS, now + limits.memory_bytes);
}

void hand_over(int to, const void* data, std::size_t size) {
  for (const char* at = static_cast<const char*>(data); size > 0;) {
    const ssize_t count = ::write(to, at, size);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) ::_exit(1);
    at += count, size -= static_cast<std::size_t>(count);
  }
}

[[noreturn]] void be_the_child(int to, const std::function<std::string()>& work, const ProcessLimits& limits) {
  restrict_this_process(limits);
  Head head{Head::Kind::result, 0};
  std::string text;
  try {
    text = work();
  } catch (const std::bad_alloc&) {
    head.kind = Head::Kind::no_memory;
  } catch (const std::exception& error) {
    head.kind = Head::Kind::refusal, text = error.what();
  }
  head.size = text.size();
  hand_over(to, &head, sizeof head);
  hand_over(to, text.data(), text.size());
  ::_exit(0);
}

// The other end of its life: no child stays behind.
class Child {
 public:
  Child(const std::function<std::string()>& work, const ProcessLimits& limits) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
      throw std::runtime_error(fmt::format("cannot open a pipe: {}", std::strerror(errno)));
    from_ = ends[0];
    process_ = ::fork();
    if (process_ == 0) be_the_child(ends[1], work, limits);
    ::close(ends[1]);
    if (process_ < 0) {
      ::close(from_);
      throw std::runtime_error(fmt::format("cannot start a process: {}", std::strerror(errno)));
    }
  }
  ~Child() {
    ::close(from_);
    if (process_ > 0) ::kill(process_, SIGKILL), wait();
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// Reads all that it writes. None: it neither wrote nor worked for so long. Throws InputError beyond `most` bytes.
  std::optional<std::string> read(std::size_t most, double idle_seconds) const {
    constexpr int patience = 100;  // ms
    std::string text;
    char block[1 << 16];
    double worked = 0, idle = 0;
    while (true) {
      pollfd ready{from_, POLLIN, 0};
      if (::poll(&ready, 1, patience) <= 0) {
        if (interrupt_requested()) throw std::runtime_error("interrupted");
        const double now = seconds();
        idle = now > worked ? 0 : idle + patience / 1000.0;
        worked = now;
        if (idle > idle_seconds) return {};
        continue;
      }
      idle = 0;
      const ssize_t count = ::read(from_, block, sizeof block);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return text;
      text.append(block, static_cast<std::size_t>(count));
      if (text.size() > most) throw InputError(fmt::format("more than {} bytes come out of it", most));
    }
  }
  /// The signal that ended it; 0: none, or none that is known.
  int signal_at_end() {
    const int status = wait();
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  }

 private:
  // How long it has worked.
  double seconds() const {
    clockid_t clock{};
    timespec time{};
    if (::clock_getcpuclockid(process_, &clock) != 0 || ::clock_gettime(clock, &time) != 0) return 0;
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  }
  int wait() {
    int status = 0;
    while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
    process_ = -1;
    return status;
  }
  pid_t process_ = -1;
  int from_ = -1;
};

// What work returns or throws, from what its process wrote and how it ended.
std::string result_of(std::string text, int signal, const ProcessLimits& limits) {
  Head head{};
  if (text.size() >= sizeof head) std::memcpy(&head, text.data(), sizeof head);
  if (text.size() < sizeof head || head.size != text.size() - sizeof head) {
    if (interrupt_requested() || signal == SIGINT || signal == SIGTERM) throw std::runtime_error("interrupted");
    if (signal == SIGXCPU) throw InputError(fmt::format("reading it takes more than {} s", limits.seconds));
    throw InputError("the library that reads it crashed: the file is damaged");
  }
  if (head.kind == Head::Kind::no_memory) throw InputError("reading it takes more memory than it may have");
  text.erase(0, sizeof head);
  if (head.kind == Head::Kind::refusal) throw InputError(text);
  return text;
}

}  // namespace

std::string in_own_process(const std::function<std::string()>& work, const ProcessLimits& limits) {
  constexpr int most_copies = 3;
  for (int copy = 0; copy < most_copies; ++copy) {
    Child child(work, limits);
    if (auto text = child.read(limits.result_bytes + sizeof(Head), limits.idle_seconds))
      return result_of(std::move(*text), child.signal_at_end(), limits);
  }
  throw InputError("the library that reads it does not end");
}

}  // namespace daelab
