#include "report/gnuplot.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>

extern char** environ;

namespace daelab {
namespace {

// Both ends of a pipe, closed on the way out.
struct Pipe {
  int ends[2] = {-1, -1};
  Pipe() {
    if (pipe2(ends, O_CLOEXEC) != 0)
      throw std::runtime_error(std::string("cannot open a pipe: ") + std::strerror(errno));
  }
  ~Pipe() {
    close(ends[0]);
    close_write();
  }
  void close_write() {
    if (ends[1] >= 0) close(ends[1]);
    ends[1] = -1;
  }
  std::string read_all() const {
    std::string text;
    char buffer[4096];
    for (;;) {
      const ssize_t count = read(ends[0], buffer, sizeof buffer);
      if (count > 0) text.append(buffer, static_cast<std::size_t>(count));
      if (count == 0 || (count < 0 && errno != EINTR)) return text;
    }
  }
};

pid_t spawn(const std::string& folder, char* const arguments[], int output) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
  pid_t child = 0;
  const int error = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0)
    throw std::runtime_error(std::string("cannot run gnuplot in ") + folder + ": " + std::strerror(error) +
                             " (figures need gnuplot with pdfcairo)");
  return child;
}

}  // namespace

void run_gnuplot(const std::string& folder, const std::string& script, const std::string& setup) {
  // Its defaults alone: a file of settings in the user's home would make figures differ between machines.
  std::string program = "gnuplot", defaults = "-d", option = "-e", code = setup, file = script;
  char* const arguments[] = {program.data(), defaults.data(), option.data(), code.data(), file.data(), nullptr};
  Pipe pipe;
  const pid_t child = spawn(folder, arguments, pipe.ends[1]);
  pipe.close_write();
  const std::string message = pipe.read_all();
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw std::runtime_error("gnuplot failed on " + folder + "/" + script + ":\n" + message);
}

}  // namespace daelab
