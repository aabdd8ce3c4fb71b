// From the stored runs of a config to its tables, figures and numbers.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "core/base/context.hpp"
#include "core/base/json_kind.hpp"
#include "experiments/runs/cells.hpp"
#include "experiments/runs/experiment.hpp"

namespace daelab {
namespace {

// A line for each kind of warning that runs carry: the words of the first one, and which runs.
std::vector<std::string> warning_notes(const std::vector<StoredRun>& runs) {
  constexpr std::size_t most_labels = 8;
  std::map<std::string, std::vector<std::string>> labels;
  std::map<std::string, std::string> texts;
  for (const StoredRun& run : runs)
    for (const auto& [kind, text] : run.record.get<RunEnd>().warnings) {
      labels[kind].push_back(run.label);
      texts.try_emplace(kind, text);
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
                                 error.what()));
  }
}

}  // namespace

std::optional<int> evaluate_task(Task& task, const std::string& command) {
  const Config& config = *task.config;
  int failed = 0;
  std::vector<StoredRun> runs;
  for (std::size_t i = 0; i < config.runs.size(); ++i) {
    if (interrupt_requested()) throw Interrupted();
    const std::string& key = task.asked.keys[i];
    std::optional<Json> record = task.store.find(key);
    if (!record) return {};
    if (!record->get<RunEnd>().ok()) ++failed;
    runs.push_back({config.labels[i], config.runs[i], std::move(*record),
                    config.runs[i]->makes_trajectory() ? "trajectories/" + key + ".csv" : "", task.store.directory(),
                    key, config.factors[i]});
  }
  std::optional<StoredRun> reference;
  if (config.reference) {
    std::optional<Json> record = task.store.find(task.asked.reference_key);
    if (!record) return {};
    reference = StoredRun{"reference", config.reference, std::move(*record), "", "", task.asked.reference_key};
  }
  Evaluation evaluation = evaluate_stored(config, runs, reference ? &*reference : nullptr, task.store.directory());
  evaluation.artifacts.name = config.name;
  evaluation.artifacts.experiment = config.experiment->name();
  evaluation.artifacts.title = config.title;
  evaluation.artifacts.command = command;
  task.store.write_result(evaluation.artifacts);
  task.store.write_analysis(evaluation.analysis);
  return failed;
}

}  // namespace daelab
