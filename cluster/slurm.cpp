#include "cluster/slurm.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "core/base/input_error.hpp"
#include "core/base/process.hpp"
#include "core/base/write_file.hpp"

namespace daelab {
namespace {

namespace fs = std::filesystem;
using std::chrono::seconds;

std::string shell_quoted(const std::string& argument) {
  std::string text = "'";
  for (const char c : argument) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

// The command with the part of the task, whose number is known to the shell alone.
std::vector<std::string> shell_words(const SlurmArray& array) {
  std::vector<std::string> words;
  for (const std::string& word : array.command) words.push_back(shell_quoted(word));
  words.insert(words.begin() + static_cast<std::ptrdiff_t>(array.part),
               fmt::format("''\"$SLURM_ARRAY_TASK_ID\"'/{}'", array.tasks));
  return words;
}

// A file name of an #SBATCH line: sbatch takes quotes away as a shell does, and replaces what follows a %.
std::string sbatch_file(const std::string& path) {
  if (path.find_first_of("\\\n\r") != std::string::npos)
    throw InputError("--out", "'" + path + "': sbatch takes no backslash or line break in the name of a folder");
  std::string text;
  for (const char c : path) text += c == '%' ? std::string("%%") : std::string(1, c);
  return shell_quoted(text);
}

// Among what sbatch prints on both streams the number in the line "1234" or "1234;cluster", "" for none; warnings are
// passed on.
std::string job_of(const std::string& output) {
  std::string job;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    const std::string number = line.substr(0, line.find(';'));
    if (!number.empty() && number.find_first_not_of("0123456789") == std::string::npos)
      job = number;
    else
      fmt::print(stderr, "{}\n", line);
  }
  return job;
}

void check_option(const std::string& option) {
  if (option.starts_with("--") && option.find_first_of("\n\r") == std::string::npos) return;
  throw InputError("--slurm", "'" + option + "': an option of sbatch is written --name=value");
}

}  // namespace

std::string slurm_script(const SlurmArray& array) {
  std::string text =
      "#!/bin/bash\n# Written by daelab run --engine slurm; may be submitted by hand: sbatch submit.sh\n";
  const auto option = [&text](const std::string& line) { text += "#SBATCH " + line + "\n"; };
  option("--job-name=" + shell_quoted(array.name));
  option(fmt::format("--array=1-{}", array.tasks));
  option(fmt::format("--cpus-per-task={}", array.processors));
  option("--output=" + sbatch_file(array.folder + "/log/") + "%A_%a.txt");
  option("--requeue");  // after the loss of a node; finished runs are kept
  for (const std::string& given : array.options) check_option(given), option(given);
  return text + fmt::format("cd {} || exit 1\nexec {}\n", shell_quoted(fs::current_path().string()),
                            fmt::join(shell_words(array), " "));
}

std::string submit_array(const SlurmArray& array) {
  const std::string script = array.folder + "/submit.sh";
  fs::create_directories(array.folder + "/log");
  write_file(script, slurm_script(array));
  if (find_program("sbatch").empty())
    throw InputError("--engine slurm", "there is no sbatch on this machine; submit " + script +
                                           " where there is one, then run the same command there");
  const ProcessOutcome outcome = run_process({"sbatch", "--parsable", script});
  const std::string job = outcome.code == 0 ? job_of(outcome.output) : "";
  if (job.empty()) throw std::runtime_error(fmt::format("sbatch refused {}: {}", script, outcome.output));
  write_file(array.folder + "/job", job + "\n");
  return job;
}

std::string submitted_job(const std::string& folder) {
  std::string job;
  std::ifstream(folder + "/job") >> job;
  return job;
}

SlurmState slurm_state(const std::string& job) {
  const ProcessOutcome outcome = run_process({"squeue", "--noheader", "--array", "--job=" + job, "--format=%T"});
  SlurmState state;
  if (outcome.code != 0) {
    // What has left the queue long ago is not known any more.
    if (outcome.output.find("Invalid job id") != std::string::npos) return state;
    throw std::runtime_error("squeue: " + outcome.output);
  }
  const std::set<std::string> running{"RUNNING", "COMPLETING", "STOPPED", "SUSPENDED", "SIGNALING", "STAGE_OUT"};
  const std::set<std::string> waiting{"PENDING",      "CONFIGURING",   "REQUEUED", "REQUEUE_FED",
                                      "REQUEUE_HOLD", "RESV_DEL_HOLD", "RESIZING", "SPECIAL_EXIT"};
  std::istringstream lines(outcome.output);
  for (std::string task; lines >> task;)
    state.running += running.contains(task), state.waiting += waiting.contains(task);
  return state;
}

bool watch_job(const std::string& job, const std::function<void(const SlurmState&)>& progress,
               const std::function<bool()>& interrupted) {
  constexpr int most_failures = 60;
  int failures = 0;
  for (seconds pause(1);; pause = std::min(pause + seconds(1), seconds(15))) {
    try {
      const SlurmState state = slurm_state(job);
      failures = 0;
      progress(state);
      if (state.ended()) return true;
    } catch (const std::runtime_error&) {
      if (++failures == most_failures) throw;
    }
    for (int tenth = 0; tenth < 10 * pause.count(); ++tenth) {
      if (interrupted()) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
  }
}

}  // namespace daelab
