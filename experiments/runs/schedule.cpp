#include "experiments/runs/schedule.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include "core/base/json_kind.hpp"
#include "core/integration/integrate.hpp"
#include "experiments/runs/experiment.hpp"
#include "results/store.hpp"

namespace daelab {
namespace {

// A config, its store and the keys of its runs, which are made once: what they hash may change while the runs are made.
struct Task {
  Task(const Config& given, const ScheduleOptions& options)
      : config(given),
        store(ResultStore::open(options.out_dir + "/" + config.name, config.name, config.json, options.force,
                                options.command)) {
    for (const auto& run : config.runs) keys.push_back(key_of(*run));
    if (config.reference) reference_key = key_of(*config.reference);
    store.ask_for(keys, reference_key, sources);
    if (const std::string note = store.note(); !note.empty()) fmt::print(stderr, "{}\n", note);
  }
  std::string key_of(const BoundRun& run) {
    const Json its_sources = config.experiment->run_kind().sources(run);
    sources.update(its_sources);
    return RunKind::key(run, its_sources);
  }

  const Config& config;
  ResultStore store;
  std::vector<std::string> keys;  // one per run
  std::string reference_key;      // "": none
  Json sources = Json::object();  // of all of them
};

struct Cell {
  std::string key;
  std::shared_ptr<const BoundRun> run;
  std::vector<std::size_t> tasks;  // that still need it
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

bool stored(const ResultStore& store, const BoundRun& run, const std::string& key) {
  return run.makes_trajectory() ? store.has_trajectory(key) : store.find(key).has_value();
}

std::vector<Cell> missing_cells(const std::vector<Task>& tasks, bool force, ScheduleSummary& summary) {
  std::map<std::pair<const RunKind*, std::string>, Cell> cells;  // kinds may have equal specifications
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    const Config& config = tasks[t].config;
    const auto add = [&](const std::shared_ptr<const BoundRun>& run, const std::string& key) {
      if (!force && stored(tasks[t].store, *run, key)) {
        ++summary.reused;
        return;
      }
      Cell& cell = cells[{&config.experiment->run_kind(), key}];
      cell.key = key, cell.run = run;
      cell.tasks.push_back(t);
    };
    for (std::size_t i = 0; i < config.runs.size(); ++i) add(config.runs[i], tasks[t].keys[i]);
    if (config.reference) add(config.reference, tasks[t].reference_key);
  }
  std::vector<Cell> list;
  for (auto& [key, cell] : cells) list.push_back(std::move(cell));
  // Among equals by key: pointers do not have the same order in every process.
  std::sort(list.begin(), list.end(), [](const Cell& a, const Cell& b) {
    const double cost_a = a.run->expected_cost(), cost_b = b.run->expected_cost();
    return cost_a != cost_b ? cost_a > cost_b : a.key < b.key;
  });
  return list;
}

// The lambda below runs on several threads; the stores lock themselves.
void compute(const Cell& cell, std::vector<Task>& tasks) {
  RunOutcome outcome = cell.run->execute();
  if (outcome.interrupted) return;
  outcome.record["key"] = cell.key;
  for (const std::size_t t : cell.tasks) {
    ResultStore& store = tasks[t].store;
    if (!outcome.trajectory.empty()) store.write_trajectory(outcome.trajectory, outcome.record);
    store.append(outcome.record);
  }
}

// A line for each kind of warning that runs carry: the words of the first one, and which runs.
std::vector<std::string> warning_notes(const std::vector<StoredRun>& runs) {
  constexpr std::size_t most_labels = 8;
  std::map<std::string, std::vector<std::string>> labels;
  std::map<std::string, std::string> texts;
  for (const StoredRun& run : runs)
    for (const Json& warning : run.record.value("warnings", Json::array())) {
      labels[warning["kind"]].push_back(run.label);
      texts.try_emplace(warning["kind"], warning["text"]);
    }
  std::vector<std::string> notes;
  for (auto& [kind, warned] : labels) {
    const std::size_t count = warned.size();
    warned.resize(std::min(count, most_labels));
    notes.push_back(fmt::format("Warning {} in {} of {} runs ({}{}): {}", kind, count, runs.size(),
                                fmt::join(warned, "; "), count > most_labels ? "; ..." : "", texts[kind]));
  }
  return notes;
}

// What is stored may have been changed since by another program, beyond what the store itself can see.
Evaluation evaluate_stored(const Config& config, const std::vector<StoredRun>& runs, const StoredRun* reference,
                           const std::string& folder) {
  try {
    Evaluation evaluation = config.experiment->evaluate(config, runs, reference);
    for (std::string& note : warning_notes(runs)) evaluation.artifacts.notes.push_back(std::move(note));
    return evaluation;
  } catch (const Json::exception& error) {
    throw InputError(folder + "/runs.jsonl",
                     fmt::format("a run stored there is not as it was written ({}); --force computes all of them again",
                                 plain_message(error)));
  }
}

void evaluate(Task& task, const std::string& command, ScheduleSummary& summary) {
  const Config& config = task.config;
  std::vector<StoredRun> runs;
  for (std::size_t i = 0; i < config.runs.size(); ++i) {
    const Json record = *task.store.find(task.keys[i]);
    if (record["status"] != "ok") ++summary.failed;
    runs.push_back({config.labels[i], config.runs[i], record,
                    config.runs[i]->makes_trajectory() ? "trajectories/" + task.keys[i] + ".csv" : "",
                    task.store.directory(), task.keys[i]});
  }
  std::optional<StoredRun> reference;
  if (config.reference)
    reference =
        StoredRun{"reference", config.reference, *task.store.find(task.reference_key), "", "", task.reference_key};
  Evaluation evaluation = evaluate_stored(config, runs, reference ? &*reference : nullptr, task.store.directory());
  evaluation.artifacts.name = config.name;
  evaluation.artifacts.experiment = config.experiment->name();
  evaluation.artifacts.title = config.title;
  evaluation.artifacts.command = command;
  task.store.write_result(evaluation.artifacts);
  task.store.write_analysis(evaluation.analysis);
}

}  // namespace

ScheduleSummary run_configs(const std::vector<Config>& configs, const ScheduleOptions& options) {
  ScheduleSummary summary;
  std::set<std::string> names;
  for (const Config& config : configs)
    if (!names.insert(config.name).second)
      throw InputError(config.path, fmt::format("/name: another config given is also called '{}'", config.name));
  std::vector<Task> tasks;
  for (const Config& config : configs) tasks.emplace_back(config, options);

  const std::vector<Cell> cells = missing_cells(tasks, options.force, summary);
  const int jobs = options.jobs > 0 ? options.jobs : static_cast<int>(std::thread::hardware_concurrency());
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(jobs));
  Progress progress(cells.size());
  std::atomic<std::size_t> next{0};
  tbb::parallel_for(0, jobs, [&](int) {
    for (std::size_t i = next++; i < cells.size() && !interrupt_requested; i = next++) {
      compute(cells[i], tasks);
      progress.finished();
    }
  });
  summary.computed = static_cast<int>(cells.size());
  summary.interrupted = interrupt_requested;
  if (summary.interrupted) return summary;
  for (Task& task : tasks) evaluate(task, options.command, summary);
  return summary;
}

}  // namespace daelab
