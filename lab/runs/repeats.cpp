#include "lab/runs/repeats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "core/base/context.hpp"
#include "lab/runs/progress.hpp"
#include "lab/runs/run_kind.hpp"

namespace daelab {
namespace {

int asked_repeats(const std::string& key, const Task& task, const ScheduleOptions& options) {
  const int repeats = options.repeat.value_or(task.config->repeat);
  if (repeats == 0 || key != task.asked.reference_key) return repeats;
  const bool is_reference_alone = std::ranges::find(task.asked.keys, key) == task.asked.keys.end();
  return is_reference_alone ? 0 : repeats;
}

bool lacks_repeats(const std::optional<Json>& record, int repeats) {
  if (!record || !record->get<RunEnd>().ok()) return false;
  const std::optional<RunTime> time = time_of(*record);
  return time && time->repeats < repeats;
}

// The cells that lack repeats, each with the tasks where it does, and how many are asked for.
std::pair<std::vector<Cell>, std::vector<int>> lacking(const std::vector<Task>& tasks, const ScheduleOptions& options) {
  const auto asks = [&](const Task& task) { return options.repeat.value_or(task.config->repeat) > 0; };
  if (std::ranges::none_of(tasks, asks)) return {};
  std::vector<const Config*> configs;
  std::vector<const AskedRuns*> asked;
  for (const Task& task : tasks) configs.push_back(task.config), asked.push_back(&task.asked);
  std::pair<std::vector<Cell>, std::vector<int>> list;
  for (Cell& cell : asked_cells(configs, asked)) {
    int most = 0;
    std::erase_if(cell.tasks, [&](std::size_t t) {
      const int repeats = asked_repeats(cell.key, tasks[t], options);
      if (repeats == 0 || !lacks_repeats(tasks[t].store.find(cell.key), repeats)) return true;
      most = std::max(most, repeats);
      return false;
    });
    if (!cell.tasks.empty()) list.first.push_back(std::move(cell)), list.second.push_back(most);
  }
  return list;
}

void store_time(const RunTime& time, const Cell& cell, std::vector<Task>& tasks) {
  for (const std::size_t t : cell.tasks)
    if (std::optional<Json> record = tasks[t].store.find(cell.key)) {
      set_time(*record, time);
      tasks[t].store.append(*record);
    }
}

}  // namespace

std::optional<RunTime> time_of_repeats(const BoundRun& run, int repeats) {
  std::optional<RunTime> least;
  double longest = 0;
  for (int i = 0; i < repeats; ++i) {
    const RunOutcome outcome = run.execute();
    if (outcome.interrupted) return {};
    const RunTime time = time_of(outcome.record).value();
    if (!least) least = time;
    least->cpu_seconds = std::min(least->cpu_seconds, time.cpu_seconds);
    least->wall_seconds = std::min(least->wall_seconds, time.wall_seconds);
    longest = std::max(longest, time.wall_seconds);
  }
  if (least) least->repeats = repeats, least->spread = longest / least->wall_seconds;
  return least;
}

int repeat_runs(std::vector<Task>& tasks, const ScheduleOptions& options) {
  const auto [cells, repeats] = lacking(tasks, options);
  if (!options.quiet && !cells.empty())
    fmt::print(stderr, "{} runs are repeated for their times, one at a time\n", cells.size());
  Progress progress(cells, options.quiet);
  int count = 0;
  for (std::size_t i = 0; i < cells.size() && !interrupt_requested(); ++i) {
    progress.started(cells[i]);
    const std::optional<RunTime> time = time_of_repeats(*cells[i].run, repeats[i]);
    if (!time) break;
    store_time(*time, cells[i], tasks);
    progress.finished(cells[i]);
    ++count;
  }
  for (Task& task : tasks) task.store.flush();
  return count;
}

}  // namespace daelab
