#include "experiments/schedule.hpp"

#include <fmt/format.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <map>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include "core/integrate.hpp"
#include "experiments/experiment.hpp"
#include "results/store.hpp"

namespace daelab {
namespace {

struct Cell {
  std::string key;
  Json spec;
  const RunKind* kind = nullptr;
  std::vector<std::size_t> stores;  // that still need it
};

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

bool makes_trajectory(const Json& spec) { return spec.value("trajectory", 0) != 0; }

bool stored(const ResultStore& store, const Json& spec, const std::string& key) {
  if (!store.find(key)) return false;
  return !makes_trajectory(spec) || std::filesystem::exists(store.trajectory_path(key));
}

std::vector<Json> all_runs(const Config& config) {
  std::vector<Json> runs = config.runs;
  if (config.reference) runs.push_back(*config.reference);
  return runs;
}

std::vector<Cell> missing_cells(const std::vector<Config>& configs, const std::vector<ResultStore>& stores,
                                bool force, ScheduleSummary& summary) {
  std::map<std::pair<const RunKind*, std::string>, Cell> cells;  // kinds may have equal specifications
  for (std::size_t s = 0; s < configs.size(); ++s)
    for (const Json& spec : all_runs(configs[s])) {
      const std::string key = make_run_key(spec);
      if (!force && stored(stores[s], spec, key)) {
        ++summary.reused;
        continue;
      }
      Cell& cell = cells[{configs[s].run_kind, key}];
      cell.key = key, cell.spec = spec, cell.kind = configs[s].run_kind;
      cell.stores.push_back(s);
    }
  std::vector<Cell> list;
  for (auto& [key, cell] : cells) list.push_back(std::move(cell));
  // Among equals by key: pointers do not have the same order in every process.
  std::sort(list.begin(), list.end(), [](const Cell& a, const Cell& b) {
    const double cost_a = a.kind->expected_cost(a.spec), cost_b = b.kind->expected_cost(b.spec);
    return cost_a != cost_b ? cost_a > cost_b : a.key < b.key;
  });
  return list;
}

// The lambda below runs on several threads; the stores lock themselves.
void compute(const Cell& cell, std::vector<ResultStore>& stores) {
  RunOutcome outcome = cell.kind->execute(cell.spec);
  if (outcome.interrupted) return;
  outcome.record["key"] = cell.key;
  for (const std::size_t s : cell.stores) {
    if (!outcome.trajectory.empty()) write_file(stores[s].trajectory_path(cell.key), outcome.trajectory);
    stores[s].append(outcome.record);
  }
}

void evaluate(const Config& config, ResultStore& store, const std::string& command, ScheduleSummary& summary) {
  std::vector<LabelledRun> runs;
  for (std::size_t i = 0; i < config.runs.size(); ++i) {
    const std::string key = make_run_key(config.runs[i]);
    const Json record = *store.find(key);
    if (record["status"] != "ok") ++summary.failed;
    runs.push_back({config.labels[i], record,
                    makes_trajectory(config.runs[i]) ? "trajectories/" + key + ".csv" : "", store.directory()});
  }
  const Json reference = config.reference ? *store.find(make_run_key(*config.reference)) : Json();
  Evaluation evaluation = make_experiment(config)->evaluate(config, runs, reference);
  evaluation.artifacts.name = config.name;
  evaluation.artifacts.experiment = config.experiment;
  evaluation.artifacts.title = config.title;
  evaluation.artifacts.command = command;
  store.write_result(evaluation.artifacts);
  store.write_analysis(evaluation.analysis);
}

}  // namespace

ScheduleSummary run_configs(const std::vector<Config>& configs, const ScheduleOptions& options) {
  ScheduleSummary summary;
  std::set<std::string> names;
  for (const Config& config : configs)
    if (!names.insert(config.name).second)
      throw InputError(config.path, fmt::format("/name: another config given is also called '{}'", config.name));
  std::vector<ResultStore> stores;
  for (const Config& config : configs)
    stores.push_back(ResultStore::open(options.out_dir + "/" + config.name, config.name, config.json,
                                       options.force, options.command));

  const std::vector<Cell> cells = missing_cells(configs, stores, options.force, summary);
  const int jobs = options.jobs > 0 ? options.jobs : static_cast<int>(std::thread::hardware_concurrency());
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(jobs));
  Progress progress(cells.size());
  std::atomic<std::size_t> next{0};
  tbb::parallel_for(0, jobs, [&](int) {
    for (std::size_t i = next++; i < cells.size() && !interrupt_requested; i = next++) {
      compute(cells[i], stores);
      progress.finished();
    }
  });
  summary.computed = static_cast<int>(cells.size());
  summary.interrupted = interrupt_requested;
  if (summary.interrupted) return summary;
  for (std::size_t s = 0; s < configs.size(); ++s) evaluate(configs[s], stores[s], options.command, summary);
  return summary;
}

}  // namespace daelab
