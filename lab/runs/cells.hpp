// Cells: the parts of carrying out configs, for whatever spreads them over threads, processes or machines.
//
//   asked_for(config)              the keys of its runs: the same in every process that read the same config
//   asked_cells(configs)           every run of them once, sorted by key: a place in this list names a cell anywhere
//   open_tasks(configs, ...)       a store for each config
//   missing_cells(tasks, ...)      the cells that are not stored yet, long ones first
//   carry_out(cell)                its record and trajectory as text that can be sent and kept
//   store_cell(...)                puts these where they are asked for
//   evaluate_task(...)             tables, figures and numbers of a config whose runs are all stored
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lab/runs/config.hpp"
#include "lab/runs/schedule.hpp"
#include "results/store.hpp"

namespace daelab {

/// The keys of the runs of a config. They are made once: the files that they hash may change while runs are made.
struct AskedRuns {
  std::vector<std::string> keys;  // one per run
  std::string reference_key;      // "": none
  Json sources = Json::object();  // of all of them
};
AskedRuns asked_for(const Config& config);

struct RunOutcome;

/// A config with its open result set.
struct Task {
  const Config* config;
  AskedRuns asked;
  ResultStore store;
};

/// Opens the result sets of all configs below options.out_dir. Throws InputError as ResultStore::open does, and where
/// two configs have one name.
std::vector<Task> open_tasks(const std::vector<Config>& configs, const ScheduleOptions& options);

/// A run that is carried out once for all configs that ask for it.
struct Cell {
  std::string key;
  std::shared_ptr<const BoundRun> run;
  std::size_t place = 0;  // in the list of all that the configs ask for, sorted by key, with and without records
  std::vector<std::size_t> tasks;  // indices of the tasks that still need it
};

/// Every run that the configs ask for, once, sorted by key; `tasks` of each are all configs that ask for it.
std::vector<Cell> asked_cells(const std::vector<const Config*>& configs, const std::vector<const AskedRuns*>& asked);
std::vector<Cell> asked_cells(const std::vector<Config>& configs);

struct MissingCells {
  std::vector<Cell> cells;  // those of the shard that are not stored, long ones first
  int reused = 0;           // runs that are stored, of all shards
};
/// With options.force all of them are missing.
MissingCells missing_cells(const std::vector<Task>& tasks, const ScheduleOptions& options);

/// How many are missing. The result sets are open only meanwhile.
int count_missing(const std::vector<Config>& configs, const ScheduleOptions& options);

/// What became of a cell, as text alone.
struct FinishedCell {
  std::string key;
  std::string line;          // as it is in runs.jsonl, with its checksum, without the newline
  std::string trajectory;    // CSV; "": none
  bool interrupted = false;  // then there is nothing to store
};

/// Carries it out. Thread-safe; a failed run is a record with its status and cause.
FinishedCell carry_out(const Cell& cell);

/// Stores it in all tasks that still need it; what is in `finished` is checked first. Thread-safe. Throws
/// InputError for what carry_out did not write, or of another cell, and std::runtime_error when the disk refuses.
void store_cell(const FinishedCell& finished, const Cell& cell, std::vector<Task>& tasks);

/// Evaluates the stored runs of a config; writes result.json and analysis.json. Returns how many of them failed;
/// nothing when one of them is not stored, or not as it was written: then missing_cells() names it.
std::optional<int> evaluate_task(Task& task, const std::string& command);

}  // namespace daelab
