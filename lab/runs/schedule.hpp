// Carrying out configs: independent runs on all cores, stored as they finish, then evaluated.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lab/runs/config.hpp"

namespace daelab {

struct Cell;
struct Context;
struct FinishedCell;

/// Takes what became of a cell, on any thread.
using FinishedCellHandler = std::function<void(const FinishedCell& finished, const Cell& cell)>;
/// Learns that a cell is begun, on any thread.
using StartedCellHandler = std::function<void(const Cell& cell)>;
/// Carries out cells, in any order, and hands over each that was finished; returns early when interrupted.
using Engine = std::function<void(const std::vector<Cell>& cells, const FinishedCellHandler& finished)>;

/// The part `index` of `count` (from 1) of all runs that configs ask for, by their place in the list of these sorted by
/// key: it does not depend on what is stored already.
struct Shard {
  int index = 1, count = 1;
};

/// How trajectories are kept once all runs are made; packed where they are many: more than 1000.
enum class TrajectoryFiles { automatic, csv, hdf5 };

struct ScheduleOptions {
  std::string out_dir = "out";
  int jobs = 0;              // threads; 0: one per core
  bool quiet = false;        // says nothing on the way
  bool force = false;        // take over folders of other configs, and compute everything again
  std::string command = {};  // what reproduces it, for manifests and captions
  Shard shard = {};          // of several: these runs are computed, and nothing is evaluated
  bool evaluate = true;
  TrajectoryFiles trajectories = TrajectoryFiles::automatic;
  std::string also_stored = {};      // folder of result sets whose runs need not be computed, either; "": none
  Engine engine = {};                // none: threads of this process
  std::optional<int> repeat = {};    // of each run, for its times; none: as its config says
  const Context* context = nullptr;  // that it is all done in; null: that of this thread
};

struct ScheduleSummary {
  int computed = 0, reused = 0, failed = 0;  // runs; failed ones are recorded with their status
  int repeated = 0;                          // runs, for their times
  bool interrupted = false;
};

/// Computes the missing runs of all configs (a run that several share once), stores them, repeats those whose times are
/// to be measured alone, evaluates each config and writes result.json and analysis.json. The numbers do not depend on
/// `jobs`. When the context is interrupted, finished runs are kept and nothing is evaluated.
ScheduleSummary run_configs(const std::vector<Config>& configs, const ScheduleOptions& options);

/// The engine of this process: `jobs` threads (0: one per core), each with the next cell of the list.
void carry_out_on_threads(const std::vector<Cell>& cells, int jobs, const FinishedCellHandler& finished,
                          const StartedCellHandler& started = {});

}  // namespace daelab
