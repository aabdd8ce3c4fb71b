// Other programs, run as child processes.
#pragma once

#include <string>
#include <vector>

namespace daelab {

/// How a child process ended.
struct ProcessOutcome {
  int code = 0;        // exit code; 128 + the number of the signal that ended it
  std::string output;  // of both its streams; "" where they were not caught
};

/// What becomes of what a child process prints.
enum class ProcessOutput { caught, passed_on };

/// Runs `arguments` in `folder` ("": the present one) without standard input, and waits for its end. The program is
/// looked for in PATH. Throws std::runtime_error when it cannot be started.
ProcessOutcome run_process(const std::vector<std::string>& arguments, const std::string& folder = "",
                           ProcessOutput output = ProcessOutput::caught);

/// The path of a program in PATH; "" when there is none.
std::string find_program(const std::string& name);

}  // namespace daelab
