#include "experiments/runs/schedule.hpp"

#include <fmt/format.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <mutex>
#include <thread>

#include "core/integration/integrate.hpp"
#include "experiments/runs/cells.hpp"

namespace daelab {
namespace {

// One line on a terminal, rewritten as runs finish.
class Progress {
 public:
  explicit Progress(std::size_t total) : total_(total), visible_(isatty(STDERR_FILENO) && total > 0) {}
  ~Progress() {
    if (visible_) std::fputs("\r\033[K", stderr);
  }
  void finished() {
    const std::lock_guard lock(mutex_);
    ++done_;
    if (!visible_) return;
    const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
    const double left = elapsed / static_cast<double>(done_) * static_cast<double>(total_ - done_);
    fmt::print(stderr, "\r\033[K{} of {} runs, about {:.0f} s left", done_, total_, left);
    std::fflush(stderr);
  }

 private:
  std::mutex mutex_;
  std::size_t done_ = 0, total_;
  bool visible_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace

void carry_out_on_threads(const std::vector<Cell>& cells, int jobs, const FinishedCellHandler& finished) {
  if (jobs <= 0) jobs = static_cast<int>(std::thread::hardware_concurrency());
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(jobs));
  std::atomic<std::size_t> next{0};
  tbb::parallel_for(0, jobs, [&](int) {
    for (std::size_t i = next++; i < cells.size() && !interrupt_requested; i = next++)
      if (const FinishedCell cell = carry_out(cells[i]); !cell.interrupted) finished(cell, cells[i]);
  });
}

ScheduleSummary run_configs(const std::vector<Config>& configs, const ScheduleOptions& options) {
  std::vector<Task> tasks = open_tasks(configs, options);
  const MissingCells missing = missing_cells(tasks, options);
  Progress progress(missing.cells.size());
  const auto finished = [&](const FinishedCell& result, const Cell& cell) {
    store_cell(result, cell, tasks);
    progress.finished();
  };
  const Engine engine = options.engine ? options.engine : [&](const auto& cells, const auto& handler) {
    carry_out_on_threads(cells, options.jobs, handler);
  };
  engine(missing.cells, finished);

  ScheduleSummary summary{static_cast<int>(missing.cells.size()), missing.reused};
  summary.interrupted = interrupt_requested;
  if (summary.interrupted || options.shard.count > 1 || !options.evaluate) return summary;
  for (Task& task : tasks) summary.failed += evaluate_task(task, options.command);
  return summary;
}

}  // namespace daelab
