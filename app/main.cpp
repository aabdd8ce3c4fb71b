// The program as a process: interruption, exit codes, what it prints where something fails.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <exception>
#include <filesystem>
#include <iostream>
#include <new>

#include "app/command_line.hpp"
#include "app/terminal.hpp"
#include "core/base/context.hpp"
#include "core/base/input_error.hpp"
#include "core/base/interrupted.hpp"
#include "core/base/json_kind.hpp"
#include "core/base/message.hpp"
#include "lab/runs/worker_threads.hpp"

namespace {

using namespace daelab;

// Asked again after a while, what goes on is nothing that looks at the request: what is stored stays.
void request_interrupt(int) {
  constexpr std::time_t while_asked = 2;
  static std::atomic<std::time_t> first{0};
  const std::time_t now = std::time(nullptr);
  if (Context::process().interrupt.request()) first = now;
  if (now - first >= while_asked) std::_Exit(130);
}

// A descriptor that the caller closed would become that of the next file, and receive what is printed.
void occupy_standard_descriptors() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(descriptor, F_GETFD) < 0) ::open("/dev/null", descriptor == STDIN_FILENO ? O_RDONLY : O_WRONLY);
}

// What a file or its name says may be anything, of any length. Where nobody can read it, the exit code says it.
int fail(int exit_code, const std::string& message) {
  std::fputs(app::error_lines("daelab: " + readable_message(message)).c_str(), stderr);
  return exit_code;
}

// What was printed may not have arrived: a full disk is noticed when the last buffer leaves.
int flushed(int exit_code) {
  std::cout.flush();  // help is written there
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && std::cout) return exit_code;
  return fail(1, fmt::format("cannot write to standard output: {}", std::strerror(errno)));
}

constexpr const char* no_memory = "there is not enough memory; --limit memory-megabytes=N sets how much may be used";

// The destructor of nlohmann's values allocates: where memory ends in it, the program would end by a signal.
[[noreturn]] void end_of_memory() {
  try {
    if (std::current_exception()) std::rethrow_exception(std::current_exception());
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "daelab: %s\n", no_memory);
    std::_Exit(1);
  } catch (...) {
    __gnu_cxx::__verbose_terminate_handler();
  }
  std::abort();
}

}  // namespace

int main(int argc, char** argv) {
  occupy_standard_descriptors();
  // A line leaves as soon as it is whole: in one file with standard error both keep their lines and their order.
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
  std::signal(SIGINT, request_interrupt);
  std::signal(SIGTERM, request_interrupt);
  std::set_terminate(end_of_memory);
  const WorkerThreads workers;
  try {
    return flushed(app::carry_out(argc, argv));
  } catch (const Interrupted& interruption) {
    return fail(130, interruption.what());
  } catch (const InputError& error) {
    return fail(2, error.what());
  } catch (const std::filesystem::filesystem_error& error) {
    if (error.code() == std::errc::not_enough_memory) return fail(1, no_memory);
    return fail(2, error.path1().string() + ": " + error.code().message());
  } catch (const Json::exception& error) {
    return fail(2, std::string("a JSON document is not what it should be: ") + error.what());
  } catch (const std::bad_alloc&) {
    return fail(1, no_memory);
  } catch (const std::exception& error) {
    // Ctrl-C reaches the programs that were started, too.
    return interrupt_requested() ? fail(130, "interrupted") : fail(1, error.what());
  }
}
