// A config as a Slurm array: a shard of its runs each task.
#pragma once

#include <string>
#include <vector>

#include "lab/runs/config.hpp"
#include "lab/runs/schedule.hpp"

namespace daelab {

struct ArrayOptions {
  int shards = 0;                      // tasks; 0: one for a hundred missing runs, at most 1000
  std::vector<std::string> options;    // further ones of sbatch: "--time=1:00:00"
  std::vector<std::string> arguments;  // of the program, that change the config or how it is computed: "--set", ...
};

/// Submits, watches, merges what the tasks have finished, and submits again what is missing, as long as that adds runs.
/// A job of an earlier call that is still in the queue is watched instead of submitting another one. Where it returns,
/// all runs are stored, or `interrupted` is set: the job then goes on. Throws std::runtime_error where runs are missing
/// and another array would not add any, with the end of the log of a task.
struct ArraySummary {
  int computed = 0;
  bool interrupted = false;
};
ArraySummary run_as_array(const Config& config, const ScheduleOptions& options, const ArrayOptions& array);

/// Where shards of a config below `out_dir` are, and the i-th of n of them.
std::string shards_folder(const std::string& out_dir, const std::string& config_name);
std::string shard_folder(const std::string& out_dir, const std::string& config_name, int i, int n);

}  // namespace daelab
