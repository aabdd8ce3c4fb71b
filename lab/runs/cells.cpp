#include "lab/runs/cells.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <set>
#include <unordered_map>

#include "core/base/in_parallel.hpp"
#include "core/base/interrupted.hpp"
#include "lab/runs/experiment.hpp"
#include "lab/runs/run_inputs.hpp"
#include "lab/runs/run_sources.hpp"
#include "results/provenance.hpp"
#include "results/run_log.hpp"
#include "results/set_files.hpp"
#include "results/trajectory_store.hpp"

namespace daelab {
namespace {

bool is_stored(const ResultStore& store, const BoundRun& run, const std::string& key) {
  return run.makes_trajectory() ? store.has_trajectory(key) : store.has(key);
}

// What another folder holds of this config, whoever writes it just now; only its keys may be asked for.
std::optional<RunLog> stored_elsewhere(const std::string& folder, const std::string& config_name) {
  const std::string path = folder + "/" + config_name + "/runs.jsonl";
  if (folder.empty() || !std::filesystem::exists(path)) return std::nullopt;
  const OpenFile file(path, O_RDONLY);
  return RunLog(file.fd());
}

bool in_shard(const Cell& cell, const Shard& shard) {
  return cell.place % static_cast<std::size_t>(shard.count) == static_cast<std::size_t>(shard.index - 1);
}

void put_long_ones_first(std::vector<Cell>& cells) {
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t i = 0; i < cells.size(); ++i) order.emplace_back(-cells[i].run->expected_cost(), i);
  std::sort(order.begin(), order.end());
  std::vector<Cell> sorted;
  for (const auto& [cost, i] : order) sorted.push_back(std::move(cells[i]));
  cells = std::move(sorted);
}

}  // namespace

AskedRuns asked_for(const Config& config) {
  AskedRuns asked;
  SourceFinder find(config.experiment->run_kind().file);
  std::unordered_map<const Json*, std::string> texts;  // of the few sources
  const auto sources_of = [&](const BoundRun& run) -> const std::string& {
    const Json& sources = find(*run.specification());
    const auto [text, is_new] = texts.try_emplace(&sources);
    if (is_new) text->second = canonical_text(sources), asked.sources.update(sources);
    return text->second;
  };
  std::vector<const std::string*> sources;
  for (const auto& run : config.runs) sources.push_back(&sources_of(*run));
  asked.keys.resize(config.runs.size());
  in_parallel(config.runs.size(), [&](std::size_t i) {
    asked.keys[i] = make_run_key_of(*config.runs[i]->specification(), *sources[i], config.runs[i]->inputs());
  });
  if (const auto& run = config.reference)
    asked.reference_key = make_run_key_of(*run->specification(), sources_of(*run), run->inputs());
  return asked;
}

std::vector<Task> open_tasks(const std::vector<Config>& configs, const ScheduleOptions& options) {
  std::set<std::string> names;
  for (const Config& config : configs)
    if (!names.insert(config.name).second)
      throw InputError(config.path, fmt::format("/name: another config given is also called '{}'", config.name));
  std::vector<Task> tasks;
  for (const Config& config : configs) {
    tasks.push_back({&config, asked_for(config),
                     ResultStore::open(options.out_dir + "/" + config.name, config.name, config.json, options.force,
                                       options.command)});
    Task& task = tasks.back();
    task.store.set_inputs(keep_inputs(task.store.directory(), inputs_of(config, task.asked.sources)));
    task.store.ask_for(task.asked.keys, task.asked.reference_key, task.asked.sources);
    if (const std::string note = task.store.note(); !note.empty()) fmt::print(stderr, "{}\n", note);
  }
  return tasks;
}

std::vector<Cell> asked_cells(const std::vector<const Config*>& configs, const std::vector<const AskedRuns*>& asked) {
  // Kinds may have equal specifications; by the name of their files, because pointers differ between processes.
  std::map<std::pair<std::string, std::string>, Cell> cells;
  for (std::size_t t = 0; t < configs.size(); ++t) {
    const Config& config = *configs[t];
    const std::string kind = config.experiment->run_kind().file;
    const auto add = [&](const std::shared_ptr<const BoundRun>& run, const std::string& key) {
      Cell& cell = cells[{key, kind}];
      cell.key = key, cell.run = run;
      if (cell.tasks.empty() || cell.tasks.back() != t) cell.tasks.push_back(t);
    };
    for (std::size_t i = 0; i < config.runs.size(); ++i) add(config.runs[i], asked[t]->keys[i]);
    if (config.reference) add(config.reference, asked[t]->reference_key);
  }
  std::vector<Cell> list;
  for (auto& [key, cell] : cells) {
    cell.place = list.size();
    list.push_back(std::move(cell));
  }
  return list;
}

std::vector<Cell> asked_cells(const std::vector<Config>& configs) {
  std::vector<AskedRuns> asked;
  for (const Config& config : configs) asked.push_back(asked_for(config));
  std::vector<const Config*> their_configs;
  std::vector<const AskedRuns*> theirs;
  for (std::size_t t = 0; t < configs.size(); ++t) their_configs.push_back(&configs[t]), theirs.push_back(&asked[t]);
  return asked_cells(their_configs, theirs);
}

MissingCells missing_cells(const std::vector<Task>& tasks, const ScheduleOptions& options) {
  std::vector<const Config*> configs;
  std::vector<const AskedRuns*> asked;
  for (const Task& task : tasks) configs.push_back(task.config), asked.push_back(&task.asked);
  std::vector<std::optional<RunLog>> elsewhere;
  for (const Task& task : tasks) elsewhere.push_back(stored_elsewhere(options.also_stored, task.config->name));
  MissingCells missing;
  for (Cell& cell : asked_cells(configs, asked)) {
    if (!options.force)
      std::erase_if(cell.tasks, [&](std::size_t t) {
        return (elsewhere[t] && elsewhere[t]->contains(cell.key)) || is_stored(tasks[t].store, *cell.run, cell.key);
      });
    missing.reused += cell.tasks.empty();
    if (!cell.tasks.empty() && in_shard(cell, options.shard)) missing.cells.push_back(std::move(cell));
  }
  put_long_ones_first(missing.cells);
  return missing;
}

int count_missing(const std::vector<Config>& configs, const ScheduleOptions& options) {
  const std::vector<Task> tasks = open_tasks(configs, options);
  return static_cast<int>(missing_cells(tasks, options).cells.size());
}

namespace {

FinishedCell finished_cell(const Cell& cell, RunOutcome outcome) {
  FinishedCell finished{cell.key, "", std::move(outcome.trajectory), outcome.interrupted};
  if (outcome.interrupted) return finished;
  if (!finished.trajectory.empty()) outcome.record[trajectory_checksum] = content_hash(finished.trajectory);
  outcome.record["key"] = cell.key;
  finished.line = run_line(outcome.record);
  return finished;
}

}  // namespace

FinishedCell carry_out(const Cell& cell) try {
  return finished_cell(cell, cell.run->execute());
} catch (const Interrupted&) {
  return finished_cell(cell, interrupted_outcome());
}

void store_cell(const FinishedCell& finished, const Cell& cell, std::vector<Task>& tasks) {
  if (finished.key != cell.key)
    throw InputError(fmt::format("the record of run {} was handed over as that of run {}", finished.key, cell.key));
  for (const std::size_t t : cell.tasks)
    tasks[t].store.append_finished(finished.key, finished.line, finished.trajectory);
}

}  // namespace daelab
