#include "results/stored_runs.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <filesystem>

#include "core/base/input_error.hpp"
#include "core/base/interrupted.hpp"
#include "results/provenance.hpp"
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

}  // namespace

StoredRuns::StoredRuns(const std::string& dir) : dir_(dir), file_(opened(dir)), log_(file_.fd()) {}

std::map<std::string, std::string> StoredRuns::keys_by_spec() {
  std::map<std::string, std::string> keys;
  const auto take = [&keys](const Json& run) {
    stop_where_interrupted();
    keys.emplace(canonical_text(spec_of(run)), run["key"].get<std::string>());
  };
  log_.visit(manifest_of(dir_), true, take, RunParts::identity);
  refuse_malformed();
  return keys;
}

Json StoredRuns::record(const std::string& key) {
  std::optional<Json> record = log_.find(key);
  refuse_malformed();
  if (!record) throw InputError(fmt::format("{}: the run {} is there no more", runs_path(dir_), key));
  return std::move(*record);
}

void StoredRuns::refuse_malformed() const {
  if (const std::string fault = log_.first_malformed(); !fault.empty())
    throw InputError(fmt::format("{}:{}; daelab run computes it again", runs_path(dir_), fault));
}

}  // namespace daelab
