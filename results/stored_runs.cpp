#include "results/stored_runs.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <filesystem>

#include "core/base/input_error.hpp"
#include "core/base/interrupted.hpp"
#include "results/provenance.hpp"
#include "results/run_record.hpp"
#include "results/store.hpp"

namespace daelab {
namespace {

std::string runs_path(const std::string& dir) { return dir + "/runs.jsonl"; }

OpenFile opened(const std::string& dir) {
  if (!std::filesystem::exists(runs_path(dir)))
    throw InputError(fmt::format("{} is not a results folder: it has no {}", dir, runs_path(dir)));
  return {runs_path(dir), O_RDONLY};
}

Json manifest_of(const std::string& dir) {
  return std::filesystem::exists(dir + "/manifest.json") ? read_manifest(dir) : Json();
}

// Opens the runs of a set, hands them over with its manifest, and tells of lines that were changed.
void with_runs_of(const std::string& dir, const std::function<void(RunLog& log, const Json& manifest)>& work) {
  const OpenFile file = opened(dir);
  RunLog log(file.fd());
  work(log, manifest_of(dir));
  if (const std::string fault = log.first_malformed(); !fault.empty())
    throw InputError(fmt::format("{}:{}; daelab run computes it again", runs_path(dir), fault));
}

}  // namespace

std::vector<Json> read_runs(const std::string& dir, bool with_reference) {
  std::vector<Json> runs;
  with_runs_of(dir, [&](RunLog& log, const Json& manifest) { runs = log.asked_for(manifest, with_reference); });
  return runs;
}

void visit_runs(const std::string& dir, bool with_reference, const std::function<void(Json record)>& visit) {
  with_runs_of(dir, [&](RunLog& log, const Json& manifest) { log.visit(manifest, with_reference, visit); });
}

std::vector<RunHead> read_run_heads(const std::string& dir, bool with_reference) {
  std::vector<RunHead> runs;
  with_runs_of(dir, [&](RunLog& log, const Json& manifest) {
    for (const Json& run : log.asked_for(manifest, with_reference, RunParts::identity)) runs.push_back(run);
  });
  return runs;
}

void visit_run_heads(const std::string& dir, bool with_reference, const std::function<void(RunHead run)>& visit) {
  with_runs_of(dir, [&](RunLog& log, const Json& manifest) {
    log.visit(
        manifest, with_reference, [&](const Json& run) { visit(run); }, RunParts::identity);
  });
}

StoredRuns::StoredRuns(const std::string& dir) : dir_(dir), file_(opened(dir)), log_(file_.fd()) {}

StoredRuns::KeysBySpec StoredRuns::keys_by_spec(bool with_reference) {
  KeysBySpec keys;
  const auto take = [&keys](const Json& run) {
    stop_where_interrupted();
    std::string spec = canonical_text(spec_of(run));
    spec.shrink_to_fit();
    keys[std::move(spec)] = run["key"].get<std::string>();
  };
  log_.visit(manifest_of(dir_), with_reference, take, RunParts::identity);
  refuse_malformed();
  return keys;
}

std::vector<Json> StoredRuns::records(std::span<const std::string> keys) {
  std::vector<Json> records;
  for (std::optional<Json>& record : log_.read_ahead(keys)) {
    refuse_malformed();
    if (!record)
      throw InputError(fmt::format("{}: the run {} is there no more", runs_path(dir_), keys[records.size()]));
    records.push_back(std::move(*record));
  }
  return records;
}

Json RecordReader::next() {
  if (next_ == ahead_.size()) {
    ahead_ = set_.records(std::span(keys_).subspan(read_));
    read_ += ahead_.size(), next_ = 0;
  }
  return std::move(ahead_[next_++]);
}

void StoredRuns::refuse_malformed() const {
  if (const std::string fault = log_.first_malformed(); !fault.empty())
    throw InputError(fmt::format("{}:{}; daelab run computes it again", runs_path(dir_), fault));
}

}  // namespace daelab
