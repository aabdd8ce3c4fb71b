#include "lab/runs/schedule.hpp"

#include <fmt/format.h>
#include <tbb/global_control.h>

#include <algorithm>
#include <atomic>
#include <optional>
#include <stdexcept>
#include <thread>
#include <utility>

#include "core/base/context.hpp"
#include "core/base/in_parallel.hpp"
#include "lab/runs/cells.hpp"
#include "lab/runs/progress.hpp"
#include "lab/runs/repeats.hpp"
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

}  // namespace

void carry_out_on_threads(const std::vector<Cell>& cells, int jobs, const FinishedCellHandler& finished,
                          const StartedCellHandler& started) {
  if (jobs <= 0) jobs = static_cast<int>(std::thread::hardware_concurrency());
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(jobs));
  std::atomic<std::size_t> next{0};
  in_parallel(static_cast<std::size_t>(jobs), [&](std::size_t) {
    for (std::size_t i = next++; i < cells.size() && !interrupt_requested(); i = next++) {
      if (started) started(cells[i]);
      if (const FinishedCell cell = carry_out(cells[i]); !cell.interrupted) finished(cell, cells[i]);
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
