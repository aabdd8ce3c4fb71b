#include "results/store.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include "core/base/json_kind.hpp"
#include "results/machine.hpp"
#include "results/provenance.hpp"
#include "results/record_values.hpp"
#include "results/run_log.hpp"
#include "results/run_record.hpp"
#include "results/set_files.hpp"
#include "results/trajectory_store.hpp"
#include "results/verdicts.hpp"

namespace daelab {
namespace {

namespace fs = std::filesystem;

std::string manifest_path(const std::string& dir) { return dir + "/manifest.json"; }
std::string runs_path(const std::string& dir) { return dir + "/runs.jsonl"; }
std::string result_path(const std::string& dir) { return dir + "/result.json"; }
std::string analysis_path(const std::string& dir) { return dir + "/analysis.json"; }

// Later lines must not be glued to a torn one.
void repair_tail(const RunLog& log, AppendedFile& file) {
  if (log.complete_tail())
    file.append("\n");
  else if (log.torn_tail())
    file.cut(log.good_bytes());
}

// The manifest that is in `dir`; null when there is none.
Json manifest_in(const std::string& dir) {
  const std::string path = manifest_path(dir), where = path + ": ";
  if (!fs::exists(path)) return {};
  Json manifest = read_checked_file(path);
  if (!manifest.is_object() || !manifest.contains("name") || !manifest["name"].is_string())
    throw InputError(fmt::format("{} is not the manifest of a results folder: it has no \"name\"", path));
  if (manifest.contains("reference")) require_member(JsonKind::text, manifest, "reference", where);
  if (manifest.contains("sources")) require_member(JsonKind::object, manifest, "sources", where);
  if (!manifest.contains("runs")) return manifest;
  const Json& runs = require_member(JsonKind::list, manifest, "runs", where);
  for (std::size_t i = 0; i < runs.size(); ++i) require(JsonKind::text, runs[i], fmt::format("{}/runs/{}", where, i));
  return manifest;
}

// The manifest to go on from. One that was torn or changed is made anew from the config: what it says of runs is asked
// for again, and every run is checked by itself.
Json existing_manifest(const std::string& dir, bool force, std::string& repaired) {
  try {
    return manifest_in(dir);
  } catch (const DamagedFile& error) {
    repaired = fmt::format("{}; it is written anew, all runs are kept", error.what());
    return {};
  } catch (const InputError&) {
    if (!force) throw;
    return Json{{"name", ""}};  // of another program
  }
}

void refuse_other_config(const std::string& dir, const Json& manifest, const std::string& name) {
  if (manifest["name"] == name) return;
  throw InputError(
      fmt::format("results folder {} holds the results of config '{}', not of '{}': choose another folder, or "
                  "--force to replace them",
                  dir, manifest["name"].get<std::string>(), name));
}

void create_folders(const std::string& dir) {
  refuse_symbolic_link(dir + "/trajectories");
  std::error_code error;
  fs::create_directories(dir + "/trajectories", error);
  if (error) throw InputError(fmt::format("cannot create results folder {}: {}", dir, error.message()));
}

// One writer at a time; one that is just ending, as the ranks of a mpirun that was killed, is waited for. File systems
// that cannot lock are trusted.
OpenFile lock_folder(const std::string& dir) {
  OpenFile lock(dir + "/.lock", O_RDWR | O_CREAT);
  constexpr int most_looks = 40;
  for (int look = 0; ::flock(lock.fd(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK; ++look) {
    if (look == most_looks) throw InputError(fmt::format("results folder {} is being written by another run", dir));
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return lock;
}

// How many runs a folder holds that is taken over.
std::size_t count_runs(const std::string& dir) {
  if (!fs::exists(runs_path(dir))) return 0;
  const OpenFile file(runs_path(dir), O_RDONLY);
  return RunLog(file.fd()).size();
}

void remove_evaluation(const std::string& dir) {
  for (const std::string& path : {result_path(dir), analysis_path(dir), verdicts_path(dir)}) fs::remove(path);
}

// Only what a store itself has put there.
void remove_results(const std::string& dir) {
  fs::remove(runs_path(dir));
  remove_evaluation(dir);
  remove_trajectories(dir + "/trajectories");
}

// The places where two configs differ, as deep as both have them.
void add_changes(const Json& before, const Json& now, const std::string& place, std::vector<std::string>& changes) {
  if (before == now) return;
  if (!before.is_object() || !now.is_object()) return changes.push_back(place);
  for (const auto& [key, value] : before.items())
    add_changes(value, now.value(key, Json()), place + "/" + key, changes);
  for (const auto& [key, value] : now.items())
    if (!before.contains(key)) changes.push_back(place + "/" + key);
}

std::string listed(std::vector<std::string> places) {
  constexpr std::size_t most = 4;
  const bool more = places.size() > most;
  places.resize(std::min(most, places.size()));
  return fmt::format("{}{}", fmt::join(places, ", "), more ? ", ..." : "");
}

Json make_manifest(const Json& before, const std::string& name, const Json& config, const std::string& command) {
  const Json provenance = current_provenance();
  Json manifest = {{"name", name},
                   {"config_hash", content_hash(config)},
                   {"command", command},
                   {"created", provenance["date"]},
                   {"opened", provenance["date"]},
                   {"load", number(machine_load())},
                   {"provenance", provenance},
                   {"config", config}};
  for (const char* key : {"created", "runs", "reference", "sources", "inputs"})
    if (before.contains(key)) manifest[key] = before[key];
  return manifest;
}

}  // namespace

struct ResultStore::State {
  State(const std::string& folder, OpenFile&& its_lock)
      : dir(folder), lock(std::move(its_lock)), runs_file(runs_path(dir)), log(runs_file.fd()) {}

  std::string dir;
  Json manifest;
  OpenFile lock;
  AppendedFile runs_file;
  RunLog log;
  std::string removed, repaired;     // of a folder that was taken over; of a manifest that was damaged
  std::vector<std::string> changes;  // where the config differs from the one of before
  mutable std::mutex mutex;

  void write_manifest() const { write_set_file(manifest_path(dir), checked_text(manifest, 2), true); }
};

std::string make_run_key(const Json& run_spec, const Json& sources, const Json& inputs) {
  return make_run_key_of(run_spec, canonical_text(sources), inputs);
}

std::string make_run_key_of(const Json& run_spec, const std::string& sources, const Json& inputs) {
  // The canonical text of an object with these three members.
  return content_hash(std::string("{\"inputs\":")
                          .append(canonical_text(inputs))
                          .append(",\"sources\":")
                          .append(sources)
                          .append(",\"spec\":")
                          .append(canonical_text(run_spec))
                          .append("}"));
}

ResultStore ResultStore::open(const std::string& dir, const std::string& config_name, const Json& config, bool force,
                              const std::string& command) {
  std::string repaired, removed;
  const auto manifest_to_go_on_from = [&] {
    Json before = existing_manifest(dir, force, repaired);
    if (!before.is_null() && !force) refuse_other_config(dir, before, config_name);
    return before;
  };
  manifest_to_go_on_from();  // a folder that is refused stays as it is
  create_folders(dir);
  OpenFile lock = lock_folder(dir);
  Json before = manifest_to_go_on_from();  // again: another run may have written it while the lock was waited for
  remove_left_over_files(dir);
  if (!before.is_null() && before["name"] != config_name) {
    removed = fmt::format("the {} runs of config '{}' that it held are removed", count_runs(dir),
                          before["name"].get<std::string>());
    remove_results(dir);
    before = Json();
  }
  auto state = std::make_unique<State>(dir, std::move(lock));
  state->removed = removed, state->repaired = repaired;
  repair_tail(state->log, state->runs_file);
  state->manifest = make_manifest(before, config_name, config, command);
  if (before.is_null() || before.value("config_hash", Json()) != state->manifest["config_hash"]) remove_evaluation(dir);
  if (before.contains("config")) add_changes(before["config"], config, "", state->changes);
  state->write_manifest();
  return ResultStore(std::move(state));
}

ResultStore::ResultStore(std::unique_ptr<State> state) : state_(std::move(state)) {}
ResultStore::ResultStore(ResultStore&&) noexcept = default;
ResultStore& ResultStore::operator=(ResultStore&&) noexcept = default;
ResultStore::~ResultStore() = default;

std::optional<Json> ResultStore::find(const std::string& key) const {
  const std::lock_guard guard(state_->mutex);
  return state_->log.find(key);
}

std::vector<std::optional<Json>> ResultStore::read_ahead(std::span<const std::string> keys) const {
  const std::lock_guard guard(state_->mutex);
  return state_->log.read_ahead(keys);
}

bool ResultStore::has(const std::string& key) const {
  const std::lock_guard guard(state_->mutex);
  return state_->log.contains(key);
}

void ResultStore::append(const Json& record) {
  if (!record.contains("key") || !record["key"].is_string())
    throw std::invalid_argument("a run record needs a string \"key\"");
  append_line(run_line(record));
}

void ResultStore::append_line(const std::string& line) {
  const std::optional<std::string> key = key_of_line(line);
  if (!key || line.find('\n') != std::string::npos)
    throw InputError("a line that is no record of a run: it needs a \"key\" and a checksum that matches");
  const std::lock_guard guard(state_->mutex);
  state_->log.add(*key, state_->runs_file.append(line + "\n"), line.size());
}

void ResultStore::append_finished(const std::string& key, const std::string& line, const std::string& trajectory) {
  if (key_of_line(line) != key) throw InputError(fmt::format("a line that is no record of the run {}", key));
  if (!trajectory.empty()) {
    if (text_at_end(line, trajectory_checksum) != content_hash(trajectory))
      throw InputError(
          fmt::format("the trajectory of the run {} is not as it was written: its checksum does not match", key));
    write_set_file(trajectory_path(key), trajectory);
  }
  append_line(line);
}

void ResultStore::flush() { state_->runs_file.flush(); }

std::vector<Json> ResultStore::all() const {
  const std::lock_guard guard(state_->mutex);
  return state_->log.asked_for(state_->manifest, false);
}

void ResultStore::ask_for(const std::vector<std::string>& keys, const std::string& reference, const Json& sources) {
  const std::lock_guard guard(state_->mutex);
  Json runs = Json::array();
  for (const std::string& key : keys) runs.push_back(key);
  Json& manifest = state_->manifest;
  const Json* const before = manifest.find("runs");
  const bool as_before = before && *before == runs && manifest.value("reference", "") == reference;
  if (as_before && manifest.value("sources", Json()) == sources) return;
  if (!as_before) remove_evaluation(state_->dir);
  manifest["runs"] = std::move(runs);
  manifest["reference"] = reference;
  manifest["sources"] = sources;
  state_->write_manifest();
}

void ResultStore::set_inputs(const Json& inputs) {
  const std::lock_guard guard(state_->mutex);
  if (inputs.is_null() || state_->manifest.value("inputs", Json()) == inputs) return;
  state_->manifest["inputs"] = inputs;
  state_->write_manifest();
}

void ResultStore::write_result(const Artifacts& artifacts) {
  write_set_file(result_path(state_->dir), checked_text(artifacts, 1), true);
  state_->manifest["finished"] = utc_now();
  state_->write_manifest();
}

void ResultStore::write_analysis(const Json& analysis) {
  if (analysis.is_null())  // an experiment without derived numbers
    fs::remove(analysis_path(state_->dir));
  else
    write_set_file(analysis_path(state_->dir), checked_text(analysis, 1), true);
}

std::string ResultStore::trajectory_path(const std::string& key) const {
  return daelab::trajectory_path(state_->dir, key);
}

bool ResultStore::has_trajectory(const std::string& key) const {
  const std::string line = [&] {
    const std::lock_guard guard(state_->mutex);
    return state_->log.line(key);
  }();
  if (line.empty() || fs::is_symlink(trajectory_path(key))) return false;
  return has_trajectory_with(trajectory_path(key), text_at_end(line, trajectory_checksum));
}

std::string ResultStore::note() const {
  const std::lock_guard guard(state_->mutex);
  if (!state_->repaired.empty()) return state_->repaired;
  if (const std::string fault = state_->log.damage(); !fault.empty())
    return fmt::format("{}:{}; what it held is computed again", runs_path(state_->dir), fault);
  if (!state_->removed.empty()) return fmt::format("{}: {}", state_->dir, state_->removed);
  if (state_->changes.empty() || state_->log.size() == 0) return "";
  const std::size_t kept = state_->log.count_others(asked_keys(state_->manifest, true));
  return fmt::format("{}: holds results of an earlier config, which differs in {}; {}", state_->dir,
                     listed(state_->changes),
                     kept == 0 ? "all its runs are asked for again"
                               : fmt::format("{} of its runs are kept, which the config does not contain", kept));
}

const std::string& ResultStore::directory() const { return state_->dir; }
int ResultStore::unreadable_lines() const { return state_->log.unreadable(); }

namespace {

// Null when it is there no more.
Json current_hash(const std::string& source) {
  try {
    return source_hash(source);
  } catch (const InputError&) {
    return {};
  }
}

}  // namespace

Json read_manifest(const std::string& dir) {
  Json manifest = manifest_in(dir);
  if (manifest.is_null())
    throw InputError(fmt::format("{} is not a results folder: it has no {}", dir, manifest_path(dir)));
  return manifest;
}

Json read_analysis(const std::string& dir) {
  if (!fs::is_directory(dir)) throw InputError(fmt::format("there is no results folder {}", dir));
  if (!fs::exists(analysis_path(dir))) return {};
  const Json analysis = read_checked_file(analysis_path(dir));
  if (!analysis.is_object() || !analysis.contains("series")) return analysis;
  const std::string where = analysis_path(dir) + ": ";
  const Json& series = require_member(JsonKind::list, analysis, "series", where);
  for (std::size_t i = 0; i < series.size(); ++i)
    require(JsonKind::object, series[i], fmt::format("{}/series/{}", where, i));
  return analysis;
}

bool is_of_this_code(const std::string& dir) {
  const Json manifest = manifest_in(dir);
  if (!manifest.contains("sources") || !manifest["sources"].is_object()) return false;
  for (const auto& [source, hash] : manifest["sources"].items())
    if (hash != current_hash(source)) return false;
  return true;
}

}  // namespace daelab
