// Other programs, run as child processes.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace daelab {

/// How a child process ended.
struct ProcessOutcome {
  int code = 0;        // exit code; 128 + the number of the signal that ended it
  std::string output;  // of both its streams
};

/// Runs `arguments` in `folder` ("": the present one) without standard input, and waits for its end. The program is
/// looked for by find_program(). Throws std::runtime_error when it cannot be started.
ProcessOutcome run_process(const std::vector<std::string>& arguments, const std::string& folder = "");

/// Runs it so that it prints to where this process prints; it is told to end (SIGTERM) once `interrupted` says
/// so. Returns its exit code.
int run_in_foreground(const std::vector<std::string>& arguments, const std::function<bool()>& interrupted);

/// The path of a program in PATH; "" when there is none. Folders of PATH that are not absolute, "." and empty ones, are
/// passed over: what is there depends on where the process runs, and files of others do not become programs.
std::string find_program(const std::string& name);

}  // namespace daelab
