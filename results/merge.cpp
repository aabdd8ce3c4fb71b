#include "results/merge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <stdexcept>

#include "core/base/input_error.hpp"
#include "core/base/json_file.hpp"
#include "results/compare.hpp"
#include "results/input_files.hpp"
#include "results/provenance.hpp"
#include "results/run_log.hpp"
#include "results/run_record.hpp"
#include "results/store.hpp"
#include "results/trajectory_store.hpp"

namespace daelab {
namespace {

namespace fs = std::filesystem;

bool is_result_set(const std::string& folder) {
  return fs::exists(folder + "/manifest.json") && fs::exists(folder + "/runs.jsonl");
}

std::vector<std::string> result_sets(const std::vector<std::string>& folders) {
  std::vector<std::string> sets;
  for (const std::string& folder : folders) {
    if (!fs::is_directory(folder)) throw InputError("there is no folder " + folder);
    std::vector<std::string> found;
    if (is_result_set(folder)) found.push_back(folder);
    if (found.empty())
      for (fs::recursive_directory_iterator entry(folder), end; entry != end; ++entry)
        if (entry->is_directory() && is_result_set(entry->path().string())) {
          found.push_back(entry->path().string());
          entry.disable_recursion_pending();
        }
    if (found.empty()) throw InputError(folder + ": neither a result set nor a folder of some: no manifest.json");
    std::ranges::sort(found);
    sets.insert(sets.end(), found.begin(), found.end());
  }
  return sets;
}

// What the sets ask for, and the config that all of them have.
struct Asked {
  std::string name, set;  // of the config; the set it was read from
  Json config;
  std::set<std::string> keys;
  std::string reference;
  Json sources = Json::object();

  void add(const std::string& folder) {
    const Json manifest = read_json_file(folder + "/manifest.json");
    if (!manifest.is_object() || !manifest.contains("name") || !manifest.contains("config"))
      throw InputError(folder + "/manifest.json: is not the manifest of a result set");
    if (set.empty()) set = folder, name = manifest["name"].get<std::string>(), config = manifest["config"];
    if (manifest["config"] != config)
      throw InputError(fmt::format("{} and {} are results of different configs: they cannot be merged", set, folder));
    keys.merge(asked_keys(manifest, false));
    if (manifest.contains("reference") && manifest["reference"] != "")
      reference = manifest["reference"].get<std::string>();
    if (manifest.contains("sources")) sources.update(manifest["sources"]);
  }
};

void require_equal(const Json& here, const Json& there, const std::string& folder) {
  const std::vector<Difference> differences = compare_records(here, there, 0);
  if (differences.empty()) return;
  const Difference& first = differences.front();
  throw std::runtime_error(
      fmt::format("{}: the run {} has other numbers than in the sets before: {} is {} there, {} "
                  "here; daelab compare shows all of them",
                  folder, here.get<RunHead>().key, first.pointer, first.a.dump(), first.b.dump()));
}

// Times of more repeats replace those of fewer.
void add_runs(const std::string& folder, ResultStore& store, MergeSummary& summary) {
  std::ifstream file(folder + "/runs.jsonl", std::ios::binary);
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    const std::string place = fmt::format("{}/runs.jsonl:{}", folder, ++number);
    const Json record = parse_run(line);
    if (record.is_null()) {
      summary.damaged.push_back(place + ": the line is not as it was written");
      continue;
    }
    const auto head = record.get<RunHead>();
    const std::string& key = head.key;
    const std::string trajectory =
        head.trajectory.empty() ? "" : read_trajectory(trajectory_path(folder, key)).value_or("");
    if (!head.trajectory.empty() && (trajectory.empty() || head.trajectory != content_hash(trajectory))) {
      summary.damaged.push_back(place + ": its trajectory is missing, or not as it was written");
    } else if (const std::optional<Json> there = store.find(key)) {
      require_equal(*there, record, folder);
      const std::optional<RunTime> time = time_of(record), time_there = time_of(*there);
      if (time && time_there && time->repeats > time_there->repeats) store.append_line(line);
      ++summary.present;
    } else {
      store.append_finished(key, line, trajectory);
      ++summary.added;
    }
  }
}

}  // namespace

MergeSummary merge_results(const std::vector<std::string>& from, const std::string& to) {
  MergeSummary summary;
  const std::vector<std::string> sets = result_sets(from);
  if (sets.empty()) return summary;
  Asked asked;
  for (const std::string& set : sets) asked.add(set);
  if (is_result_set(to)) asked.add(to);
  ResultStore store = ResultStore::open(to, asked.name, asked.config, false, "daelab merge");
  for (const std::string& set : sets) add_runs(set, store, summary);
  store.set_inputs(copy_inputs(asked.set, read_manifest(asked.set), to));
  store.ask_for({asked.keys.begin(), asked.keys.end()}, asked.reference, asked.sources);
  if (!asked.reference.empty()) asked.keys.insert(asked.reference);
  summary.missing =
      static_cast<int>(std::ranges::count_if(asked.keys, [&](const std::string& key) { return !store.find(key); }));
  return summary;
}

}  // namespace daelab
