#include "experiments/runs/schedule.hpp"

#include <fmt/format.h>
#include <tbb/global_control.h>

#include <algorithm>
#include <atomic>
#include <optional>
#include <stdexcept>
#include <thread>
#include <unordered_map>
#include <utility>

#include "core/base/context.hpp"
#include "experiments/runs/cells.hpp"
#include "experiments/runs/in_parallel.hpp"
#include "experiments/runs/lockstep.hpp"
#include "experiments/runs/progress.hpp"
#include "experiments/runs/repeats.hpp"
#include "results/packed_file.hpp"
#include "results/trajectory_store.hpp"

namespace daelab {
namespace {

void pack(const Task& task, TrajectoryFiles files) {
  constexpr std::size_t many = 1000;
  const std::string folder = task.store.directory() + "/trajectories";
  const bool wanted =
      files == TrajectoryFiles::hdf5 ||
      (files == TrajectoryFiles::automatic && count_unpacked_trajectories(folder) > many && packing_refusal().empty());
  if (wanted) pack_trajectories(folder);
}

using Bundle = std::vector<const Cell*>;

// Cells that one thread carries out together, in the order of the first ones. As many in each as leave something for
// all threads.
std::vector<Bundle> bundles_of(const std::vector<Cell>& cells, std::size_t threads) {
  const std::size_t share = (cells.size() + threads - 1) / threads;
  const std::size_t most = share < LockstepGroups::least ? 1 : std::min(LockstepGroups::most, share);
  LockstepGroups groups;
  std::vector<Bundle> bundles;
  std::unordered_map<std::string, std::size_t> open;  // bundles with room, by what their runs have in common
  for (const Cell& cell : cells) {
    const std::string group = most > 1 ? groups.of(*cell.run) : "";
    const auto known = open.find(group);
    if (!group.empty() && known != open.end() && bundles[known->second].size() < most) {
      bundles[known->second].push_back(&cell);
      continue;
    }
    if (!group.empty()) open[group] = bundles.size();
    bundles.push_back({&cell});
  }
  return bundles;
}

}  // namespace

void carry_out_on_threads(const std::vector<Cell>& cells, int jobs, const FinishedCellHandler& finished,
                          const StartedCellHandler& started) {
  if (jobs <= 0) jobs = static_cast<int>(std::thread::hardware_concurrency());
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(jobs));
  const std::vector<Bundle> bundles = bundles_of(cells, static_cast<std::size_t>(jobs));
  std::atomic<std::size_t> next{0};
  in_parallel(static_cast<std::size_t>(jobs), [&](std::size_t) {
    LockstepRunner runner;
    for (std::size_t i = next++; i < bundles.size() && !interrupt_requested(); i = next++) {
      std::vector<const BoundRun*> runs;
      for (const Cell* cell : bundles[i]) {
        if (started) started(*cell);
        runs.push_back(cell->run.get());
      }
      std::vector<RunOutcome> outcomes = runner.execute(runs);
      for (std::size_t k = 0; k < runs.size(); ++k)
        if (const FinishedCell cell = finished_cell(*bundles[i][k], std::move(outcomes[k])); !cell.interrupted)
          finished(cell, *bundles[i][k]);
    }
  });
}

namespace {

// One pass over what is missing.
void carry_out_missing(std::vector<Task>& tasks, const ScheduleOptions& options, ScheduleSummary& summary) {
  const MissingCells missing = missing_cells(tasks, options);
  Progress progress(missing.cells, options.quiet);
  const auto finished = [&](const FinishedCell& result, const Cell& cell) {
    store_cell(result, cell, tasks);
    progress.finished(cell);
  };
  const Engine engine = options.engine ? options.engine : [&](const auto& cells, const auto& handler) {
    carry_out_on_threads(cells, options.jobs, handler, [&](const Cell& cell) { progress.started(cell); });
  };
  engine(missing.cells, finished);
  for (Task& task : tasks) task.store.flush();
  summary.computed += static_cast<int>(missing.cells.size()), summary.reused = missing.reused;
  summary.interrupted = interrupt_requested();
}

// False when a stored run is not as it was written, which shows when its record is read.
bool evaluate(std::vector<Task>& tasks, const ScheduleOptions& options, ScheduleSummary& summary) {
  summary.failed = 0;
  for (Task& task : tasks) {
    const std::optional<int> failed = evaluate_task(task, options.command);
    if (!failed) return false;
    summary.failed += *failed;
  }
  for (const Task& task : tasks) pack(task, options.trajectories);
  return true;
}

}  // namespace

ScheduleSummary run_configs(const std::vector<Config>& configs, const ScheduleOptions& options) {
  const Context::Scope scope(options.context != nullptr ? *options.context : Context::current());
  std::vector<Task> tasks = open_tasks(configs, options);
  ScheduleSummary summary;
  ScheduleOptions now = options;
  for (int pass = 0; pass < 2; ++pass) {
    carry_out_missing(tasks, now, summary);
    if (summary.interrupted || options.shard.count > 1 || !options.evaluate) return summary;
    summary.repeated += repeat_runs(tasks, options);
    summary.interrupted = interrupt_requested();
    if (summary.interrupted || evaluate(tasks, options, summary)) return summary;
    now.force = false;
  }
  throw std::runtime_error(
      "a run that was stored just now cannot be read again: the disk, or another program, changed it");
}

}  // namespace daelab
