// From the stored runs of a config to its tables, figures and numbers.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include "core/base/interrupted.hpp"
#include "core/base/json_kind.hpp"
#include "lab/runs/cells.hpp"
#include "lab/runs/experiment.hpp"

namespace daelab {
namespace {

// What runs ended with, counted as they are read.
class Ends {
 public:
  void add(const std::string& label, const RunEnd& end) {
    ++runs_;
    if (!end.ok()) ++failed_;
    for (const auto& [kind, text] : end.warnings) {
      Warned& warned = by_kind_.try_emplace(kind, Warned{0, {}, text}).first->second;
      if (++warned.count <= most_labels) warned.labels.push_back(label);
    }
  }
  int failed() const { return failed_; }
  // A line for each kind of warning that runs carry: the words of the first one, and which runs.
  std::vector<std::string> warning_notes() const {
    std::vector<std::string> notes;
    for (const auto& [kind, warned] : by_kind_)
      notes.push_back(fmt::format("Warning {} in {} of {} runs ({}{}): {}", kind, warned.count, runs_,
                                  fmt::join(warned.labels, "; "), warned.count > most_labels ? "; ..." : "",
                                  warned.text));
    return notes;
  }

 private:
  static constexpr std::size_t most_labels = 8;
  struct Warned {
    std::size_t count;  // one run may warn twice
    std::vector<std::string> labels;
    std::string text;
  };
  std::map<std::string, Warned> by_kind_;
  std::size_t runs_ = 0;
  int failed_ = 0;
};

// A run that is not stored, or not as it was written.
struct Unreadable {};

// The runs of a task, one after another; some records are read ahead.
class StoredRuns {
 public:
  explicit StoredRuns(const Task& task) : task_(task) {}

  StoredRun read(std::size_t i) {
    stop_where_interrupted();
    const Config& config = *task_.config;
    const std::string& key = task_.asked.keys[i];
    StoredRun run{config.labels[i], config.runs[i], record_of(i), "", task_.store.directory(), key, config.factors[i]};
    if (run.run->makes_trajectory()) run.trajectory = "trajectories/" + key + ".csv";
    ends_.add(run.label, run.record.get<RunEnd>());
    return run;
  }
  std::optional<StoredRun> reference() const {
    if (!task_.config->reference) return {};
    const std::string& key = task_.asked.reference_key;
    return StoredRun{"reference", task_.config->reference, record(key), "", "", key};
  }
  const Ends& ends() const { return ends_; }

 private:
  Json record_of(std::size_t i) {
    const std::vector<std::string>& keys = task_.asked.keys;
    if (i < first_ || i >= first_ + ahead_.size()) {
      ahead_ = task_.store.read_ahead(std::span(keys).subspan(i));
      first_ = i;
    }
    std::optional<Json> record = std::exchange(ahead_[i - first_], std::nullopt);
    return record ? std::move(*record) : this->record(keys[i]);
  }
  Json record(const std::string& key) const {
    std::optional<Json> record = task_.store.find(key);
    if (!record) throw Unreadable();
    return std::move(*record);
  }

  const Task& task_;
  Ends ends_;
  std::vector<std::optional<Json>> ahead_;  // from the run `first_` on
  std::size_t first_ = 0;
};

// What is stored may have been changed since by another program, beyond what the store itself can see.
Evaluation evaluate_stored(const Config& config, StoredRuns& runs, const std::string& folder) {
  try {
    const std::optional<StoredRun> reference = runs.reference();
    Evaluation evaluation = config.experiment->evaluate(
        config, [&](std::size_t i) { return runs.read(i); }, reference ? &*reference : nullptr);
    for (std::string& note : runs.ends().warning_notes()) evaluation.artifacts.notes.push_back(std::move(note));
    return evaluation;
  } catch (const Json::exception& error) {
    throw InputError(folder + "/runs.jsonl",
                     fmt::format("a run stored there is not as it was written ({}); --force computes all of them again",
                                 error.what()));
  }
}

}  // namespace

std::optional<int> evaluate_task(Task& task, const std::string& command) try {
  const Config& config = *task.config;
  StoredRuns runs(task);
  Evaluation evaluation = evaluate_stored(config, runs, task.store.directory());
  evaluation.artifacts.name = config.name;
  evaluation.artifacts.experiment = config.experiment->name();
  evaluation.artifacts.title = config.title;
  evaluation.artifacts.command = command;
  task.store.write_result(evaluation.artifacts);
  task.store.write_analysis(evaluation.analysis);
  return runs.ends().failed();
} catch (const Unreadable&) {
  return {};
}

}  // namespace daelab
