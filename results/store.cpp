#include "results/store.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <set>
#include <utility>

#include "core/base/json_kind.hpp"
#include "core/base/write_file.hpp"
#include "results/provenance.hpp"
#include "results/run_log.hpp"

namespace daelab {
namespace {

namespace fs = std::filesystem;

std::string manifest_path(const std::string& dir) { return dir + "/manifest.json"; }
std::string runs_path(const std::string& dir) { return dir + "/runs.jsonl"; }
std::string result_path(const std::string& dir) { return dir + "/result.json"; }
std::string analysis_path(const std::string& dir) { return dir + "/analysis.json"; }
std::string verdicts_path(const std::string& dir) { return dir + "/verdicts.json"; }

// A file descriptor that closes itself.
class File {
 public:
  File() = default;
  File(const std::string& path, int flags) : fd_(::open(path.c_str(), flags | O_CLOEXEC, 0666)) {
    if (fd_ < 0) throw InputError(fmt::format("cannot write {}: {}", path, std::strerror(errno)));
  }
  File(File&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  File& operator=(File&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~File() {
    if (fd_ >= 0) ::close(fd_);
  }
  int fd() const { return fd_; }

 private:
  int fd_ = -1;
};

// All of `text`, on disk, or nothing of it.
void append_durably(const File& file, const std::string& text, const std::string& path) {
  const off_t before = ::lseek(file.fd(), 0, SEEK_END);
  std::size_t written = 0;
  bool failed = false;
  while (written < text.size() && !failed) {
    const ssize_t count = ::write(file.fd(), text.data() + written, text.size() - written);
    if (count > 0) written += static_cast<std::size_t>(count);
    failed = count == 0 || (count < 0 && errno != EINTR);
  }
  if (!failed && ::fsync(file.fd()) == 0) return;
  std::string cause = std::strerror(errno);
  if (::ftruncate(file.fd(), before) != 0) cause += "; its last line is torn";
  throw std::runtime_error(fmt::format("cannot append to {}: {}", path, cause));
}

// Later lines must not be glued to a torn one.
void repair_tail(const std::string& path, const RunLog& log, const File& file) {
  if (log.complete_tail)
    append_durably(file, "\n", path);
  else if (::ftruncate(file.fd(), static_cast<off_t>(log.good_bytes)) != 0)
    throw InputError(fmt::format("cannot write {}: {}", path, std::strerror(errno)));
}

// The manifest that stands in `dir`; null when there is none.
Json manifest_in(const std::string& dir) {
  const std::string path = manifest_path(dir), where = path + ": ";
  if (!fs::exists(path)) return {};
  Json manifest = read_json_file(path);
  if (!manifest.is_object() || !manifest.contains("name") || !manifest["name"].is_string())
    throw InputError(fmt::format("{} is not the manifest of a results folder: it has no \"name\"", path));
  if (manifest.contains("reference")) require_member(JsonKind::text, manifest, "reference", where);
  if (manifest.contains("sources")) require_member(JsonKind::object, manifest, "sources", where);
  if (!manifest.contains("runs")) return manifest;
  const Json& runs = require_member(JsonKind::list, manifest, "runs", where);
  for (std::size_t i = 0; i < runs.size(); ++i) require(JsonKind::text, runs[i], fmt::format("{}/runs/{}", where, i));
  return manifest;
}

Json existing_manifest(const std::string& dir, bool force) {
  try {
    return manifest_in(dir);
  } catch (const InputError&) {
    if (!force) throw;
    return Json{{"name", ""}};  // unreadable: of another config
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
  std::error_code error;
  fs::create_directories(dir + "/trajectories", error);
  if (error) throw InputError(fmt::format("cannot create results folder {}: {}", dir, error.message()));
}

// One writer at a time. File systems that cannot lock are trusted.
File lock_folder(const std::string& dir) {
  File lock(dir + "/.lock", O_RDWR | O_CREAT);
  if (::flock(lock.fd(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    throw InputError(fmt::format("results folder {} is being written by another run", dir));
  return lock;
}

void remove_evaluation(const std::string& dir) {
  for (const std::string& path : {result_path(dir), analysis_path(dir), verdicts_path(dir)}) fs::remove(path);
}

// Only what a store itself has put there.
void remove_results(const std::string& dir) {
  fs::remove(runs_path(dir));
  remove_evaluation(dir);
  for (const auto& entry : fs::directory_iterator(dir + "/trajectories"))
    if (entry.path().extension() == ".csv") fs::remove(entry.path());
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
                   {"provenance", provenance},
                   {"config", config}};
  for (const char* key : {"created", "runs", "reference", "sources", "inputs"})
    if (before.contains(key)) manifest[key] = before[key];
  return manifest;
}

}  // namespace

struct ResultStore::State {
  std::string dir;
  Json manifest;
  File lock, runs_file;
  RunLog log;
  std::string removed;               // of a folder that was taken over
  std::vector<std::string> changes;  // where the config differs from the one of before
  mutable std::mutex mutex;

  void write_manifest() const { write_file(manifest_path(dir), manifest.dump(2) + "\n"); }
};

std::string make_run_key(const Json& run_spec, const Json& sources, const Json& inputs) {
  return content_hash(Json{{"spec", run_spec}, {"sources", sources}, {"inputs", inputs}});
}

ResultStore ResultStore::open(const std::string& dir, const std::string& config_name, const Json& config, bool force,
                              const std::string& command) {
  auto state = std::make_unique<State>();
  state->dir = dir;
  Json before = existing_manifest(dir, force);
  const bool taken_over = !before.is_null() && before["name"] != config_name;
  if (taken_over && !force) refuse_other_config(dir, before, config_name);

  create_folders(dir);
  state->lock = lock_folder(dir);
  if (taken_over) {
    state->removed = fmt::format("the {} runs of config '{}' that it held are removed",
                                 load_runs(runs_path(dir)).by_key.size(), before["name"].get<std::string>());
    remove_results(dir);
    before = Json();
  }
  state->runs_file = File(runs_path(dir), O_RDWR | O_CREAT | O_APPEND);
  state->log = load_runs(runs_path(dir));
  repair_tail(runs_path(dir), state->log, state->runs_file);
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
  const auto found = state_->log.by_key.find(key);
  if (found == state_->log.by_key.end()) return std::nullopt;
  return state_->log.records[found->second];
}

bool ResultStore::has(const std::string& key) const {
  const std::lock_guard guard(state_->mutex);
  return state_->log.by_key.contains(key);
}

void ResultStore::append(const Json& record) { append_line(run_line(record)); }

void ResultStore::append_line(const std::string& line) {
  Json stored = parse_run(line);  // what a later reader sees: NaN is null
  if (stored.is_null())
    throw InputError("a line that is no record of a run: it needs a \"key\" and a checksum that matches");
  check_run(stored);
  const std::lock_guard guard(state_->mutex);
  append_durably(state_->runs_file, line + "\n", runs_path(state_->dir));
  state_->log.add(std::move(stored));
}

void ResultStore::append_finished(const std::string& key, const std::string& line, const std::string& trajectory) {
  const Json record = parse_run(line);
  if (record.is_null() || record["key"] != key)
    throw InputError(fmt::format("a line that is no record of the run {}", key));
  if (!trajectory.empty()) {
    if (record.value("trajectory_checksum", "") != content_hash(trajectory))
      throw InputError(
          fmt::format("the trajectory of the run {} is not as it was written: its checksum does not match", key));
    write_file(trajectory_path(key), trajectory);
  }
  append_line(line);
}

std::vector<Json> ResultStore::all() const {
  const std::lock_guard guard(state_->mutex);
  return state_->log.asked_for(state_->manifest, false);
}

void ResultStore::ask_for(const std::vector<std::string>& keys, const std::string& reference, const Json& sources) {
  const std::lock_guard guard(state_->mutex);
  Json runs = Json::array();
  for (const std::string& key : keys) runs.push_back(key);
  Json& manifest = state_->manifest;
  const bool as_before = manifest.value("runs", Json()) == runs && manifest.value("reference", "") == reference;
  if (as_before && manifest.value("sources", Json()) == sources) return;
  if (!as_before) remove_evaluation(state_->dir);
  manifest["runs"] = runs;
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
  write_file(result_path(state_->dir), Json(artifacts).dump(1) + "\n");
  state_->manifest["finished"] = utc_now();
  state_->write_manifest();
}

void ResultStore::write_analysis(const Json& analysis) {
  write_file(analysis_path(state_->dir), analysis.dump(1) + "\n");
}

std::string ResultStore::trajectory_path(const std::string& key) const {
  return fmt::format("{}/trajectories/{}.csv", state_->dir, key);
}

bool ResultStore::has_trajectory(const std::string& key) const {
  const std::optional<Json> record = find(key);
  std::ifstream file(trajectory_path(key), std::ios::binary);
  if (!record || !file) return false;
  const std::string csv{std::istreambuf_iterator<char>(file), {}};
  return record->value("trajectory_checksum", "") == content_hash(csv);
}

std::string ResultStore::note() const {
  const std::lock_guard guard(state_->mutex);
  if (!state_->removed.empty()) return fmt::format("{}: {}", state_->dir, state_->removed);
  if (state_->changes.empty() || state_->log.by_key.empty()) return "";
  const std::size_t kept = state_->log.count_others(asked_keys(state_->manifest, true));
  return fmt::format("{}: holds results of an earlier config, which differs in {}; {}", state_->dir,
                     listed(state_->changes),
                     kept == 0 ? "all its runs are asked for again"
                               : fmt::format("{} of its runs are kept beside those asked for", kept));
}

const std::string& ResultStore::directory() const { return state_->dir; }
int ResultStore::unreadable_lines() const { return state_->log.unreadable; }

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

std::vector<Json> read_runs(const std::string& dir, bool with_reference) {
  if (!fs::exists(runs_path(dir)))
    throw InputError(fmt::format("{} is not a results folder: it has no {}", dir, runs_path(dir)));
  const RunLog log = load_runs(runs_path(dir));
  if (!log.malformed.empty())
    throw InputError(fmt::format("{}:{}; daelab run computes it again", runs_path(dir), log.malformed.begin()->second));
  return log.asked_for(manifest_in(dir), with_reference);
}

Json read_analysis(const std::string& dir) {
  if (!fs::is_directory(dir)) throw InputError(fmt::format("there is no results folder {}", dir));
  if (!fs::exists(analysis_path(dir))) return {};
  const Json analysis = read_json_file(analysis_path(dir));
  if (!analysis.is_object() || !analysis.contains("series")) return analysis;
  const std::string where = analysis_path(dir) + ": ";
  const Json& series = require_member(JsonKind::list, analysis, "series", where);
  for (std::size_t i = 0; i < series.size(); ++i)
    require(JsonKind::object, series[i], fmt::format("{}/series/{}", where, i));
  return analysis;
}

bool is_of_this_code(const std::string& dir) {
  const Json manifest = manifest_in(dir);
  if (!manifest.is_object() || !manifest.contains("sources")) return false;
  for (const auto& [source, hash] : manifest["sources"].items())
    if (hash != current_hash(source)) return false;
  return true;
}

}  // namespace daelab
