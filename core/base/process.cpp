#include "core/base/process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <sstream>
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

// Found before the folder is entered, and never in it.
std::string program_of(const std::string& name) {
  if (name.find('/') != std::string::npos) return name;
  std::string program = find_program(name);
  if (program.empty()) throw std::runtime_error(fmt::format("cannot run {}: it is in no folder of PATH", name));
  return program;
}

// With `output` for both its streams; -1: those of this process.
pid_t spawn(std::vector<std::string> arguments, const std::string& folder, int output) {
  const std::string program = program_of(arguments[0]);
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (!folder.empty()) posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  if (output >= 0) {
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
  }
  pid_t child = 0;
  const int error = posix_spawn(&child, program.c_str(), &actions, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0)
    throw std::runtime_error(
        fmt::format("cannot run {}{}: {}", arguments[0], folder.empty() ? "" : " in " + folder, std::strerror(error)));
  return child;
}

int code_of(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }

}  // namespace

ProcessOutcome run_process(const std::vector<std::string>& arguments, const std::string& folder) {
  Pipe pipe;
  const pid_t child = spawn(arguments, folder, pipe.ends[1]);
  pipe.close_write();
  std::string text = pipe.read_all();
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return {code_of(status), std::move(text)};
}

int run_in_foreground(const std::vector<std::string>& arguments, const std::function<bool()>& interrupted) {
  const pid_t child = spawn(arguments, "", -1);
  int status = 0;
  for (bool told = false; waitpid(child, &status, WNOHANG) == 0; usleep(10000)) {
    if (told || !interrupted()) continue;
    kill(child, SIGTERM);
    told = true;
  }
  return code_of(status);
}

std::string find_program(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (const std::string file = folder + "/" + name; folder.starts_with('/') && ::access(file.c_str(), X_OK) == 0)
      return file;
  return "";
}

}  // namespace daelab
