#include "cluster/run_as_array.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <vector>

#include "cluster/slurm.hpp"
#include "core/base/context.hpp"
#include "core/base/paths.hpp"
#include "core/base/write_file.hpp"
#include "lab/runs/cells.hpp"
#include "results/merge.hpp"

namespace daelab {
namespace {

namespace fs = std::filesystem;

constexpr int runs_per_shard = 100, most_shards = 1000;
// The largest index of a task that Slurm takes is one less than its MaxArraySize, of 4 000 001 at most.
constexpr int most_tasks = 4'000'000;

int count_lines(const std::string& path) {
  return static_cast<int>(std::ranges::count(file_bytes(path).value_or(""), '\n'));
}

// The result sets of shards that have begun.
std::vector<std::string> shards_below(const std::string& folder, const std::string& config_name) {
  std::vector<std::string> shards;
  if (!fs::is_directory(folder)) return shards;
  for (const auto& entry : fs::directory_iterator(folder))
    if (const fs::path set = entry.path() / config_name; fs::exists(set / "manifest.json"))
      shards.push_back(set.string());
  std::ranges::sort(shards);
  return shards;
}

int count_runs(const std::vector<std::string>& sets) {
  int runs = 0;
  for (const std::string& set : sets) runs += count_lines(set + "/runs.jsonl");
  return runs;
}

// The end of the log that was written last, for the reader of an error.
std::string last_log(const std::string& folder) {
  fs::path newest;
  for (const auto& entry : fs::directory_iterator(folder + "/log"))
    if (newest.empty() || fs::last_write_time(entry) > fs::last_write_time(newest)) newest = entry.path();
  if (newest.empty()) return "no log in " + folder + "/log";
  const std::string text = file_bytes(newest.string()).value_or("");
  constexpr std::size_t most = 1000;
  return newest.string() + " ends with:\n" + text.substr(text.size() - std::min(most, text.size()));
}

SlurmArray array_of(const Config& config, const ScheduleOptions& options, const ArrayOptions& array, int missing) {
  const int fitting = std::clamp((missing + runs_per_shard - 1) / runs_per_shard, 1, most_shards);
  const int shards = array.shards > 0 ? array.shards : fitting, jobs = std::max(1, options.jobs);
  std::vector<std::string> command{"env",
                                   "DAELAB_ROOT=" + project_root(),
                                   fs::read_symlink("/proc/self/exe").string(),
                                   "shard",
                                   config.path,
                                   "--out",
                                   options.out_dir,
                                   "--jobs",
                                   std::to_string(jobs)};
  const std::size_t part = 5;  // before --out
  command.insert(command.end(), array.arguments.begin(), array.arguments.end());
  return {"daelab-" + config.name,
          fs::absolute(shards_folder(options.out_dir, config.name)).string(),
          shards,
          jobs,
          command,
          part,
          array.options};
}

void watch(const std::string& job, const Config& config, const std::string& folder, int missing) {
  const bool terminal = isatty(STDERR_FILENO);
  fmt::print(stderr, "job {}: {} runs to do; scancel {} ends it, the same command goes on watching it\n", job, missing,
             job);
  watch_job(
      job,
      [&](const SlurmState& state) {
        if (terminal)
          fmt::print(stderr, "\r\033[Kjob {}: {} tasks running, {} waiting, {} of {} runs finished", job, state.running,
                     state.waiting, count_runs(shards_below(folder, config.name)), missing);
      },
      interrupt_requested);
  if (terminal) fmt::print(stderr, "\r\033[K");
}

}  // namespace

std::string shards_folder(const std::string& out_dir, const std::string& config_name) {
  return out_dir + "/" + config_name + ".shards";
}

std::string shard_folder(const std::string& out_dir, const std::string& config_name, int i, int n) {
  return fmt::format("{}/{}-of-{}", shards_folder(out_dir, config_name), i, n);
}

ArraySummary run_as_array(const Config& config, const ScheduleOptions& options, const ArrayOptions& array) {
  if (array.shards < 0 || array.shards > most_tasks)
    throw InputError("--shards",
                     fmt::format("{} is out of range; allowed: 0 to {}, the most tasks that an array of Slurm can have",
                                 array.shards, most_tasks));
  const std::string folder = shards_folder(options.out_dir, config.name), set = options.out_dir + "/" + config.name;
  ScheduleOptions later = options;
  const int begin = count_missing({config}, later);
  later.force = false;  // what a task has computed is not computed again
  std::string job = submitted_job(folder);
  if (!job.empty() && slurm_state(job).ended()) job.clear();
  int missing = begin;
  for (bool first = true;; first = false) {
    if (job.empty()) {
      merge_results(shards_below(folder, config.name), set);
      const int left = count_missing({config}, later);
      if (left == 0) break;
      if (!first && left == missing)
        throw std::runtime_error(fmt::format("{} of {} runs are missing after the job ended, which added none; {}",
                                             left, begin, last_log(folder)));
      missing = left;
      job = submit_array(array_of(config, options, array, missing));
    }
    watch(job, config, folder, missing);
    if (interrupt_requested()) return {begin - missing, true};
    job.clear();
  }
  fs::remove_all(folder);
  return {begin, false};
}

}  // namespace daelab
