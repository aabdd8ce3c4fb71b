// Slurm: a set of runs as an array of tasks, a shard each.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace daelab {

/// One array to submit.
struct SlurmArray {
  std::string name;                  // of the job
  std::string folder;                // of script and logs
  int tasks = 1;                     // numbered from 1
  int processors = 1;                // of a task
  std::vector<std::string> command;  // of a task, without the part that it does, i/tasks
  std::size_t part = 0;              // the place of that among these words
  std::vector<std::string> options;  // of sbatch: "--time=1:00:00", "--partition=short"
};

/// The submission script: everything sbatch is told is in it, so that it can be submitted by hand.
std::string slurm_script(const SlurmArray& array);

/// Writes folder/submit.sh, submits it, notes the job in folder/job. Its number. Throws std::runtime_error with
/// sbatch's own words when it refuses, InputError where there is no sbatch.
std::string submit_array(const SlurmArray& array);

/// The job that a script in `folder` was submitted as before; "" for none.
std::string submitted_job(const std::string& folder);

/// How many tasks of a job are in which state, as Slurm names them; empty when none is left in the queue. Throws
/// std::runtime_error when squeue does not answer.
struct SlurmState {
  int waiting = 0, running = 0;
  bool ended() const { return waiting + running == 0; }
};
SlurmState slurm_state(const std::string& job);

/// Waits until a job has ended, calling `progress` at every look, at most every quarter of a minute. False when
/// `interrupted` says so before. A squeue that does not answer is asked again, for a quarter of an hour.
bool watch_job(const std::string& job, const std::function<void(const SlurmState&)>& progress,
               const std::function<bool()>& interrupted);

}  // namespace daelab
