#include "report/page_sources.hpp"

#include <filesystem>
#include <map>

#include "core/base/input_error.hpp"
#include "results/claims.hpp"
#include "results/evidence.hpp"
#include "results/run_record.hpp"
#include "results/set_files.hpp"
#include "results/store.hpp"

namespace daelab {
namespace {

namespace fs = std::filesystem;

Json manifest_of(const std::string& result_dir) {
  const std::string path = result_dir + "/manifest.json";
  if (!fs::exists(path)) return Json::object();
  Json manifest = read_checked_file(path);
  return manifest.is_object() ? manifest : Json::object();
}

// By the names that entries know them by, those of their configs.
struct NamedSet {
  std::size_t number = 0;
  std::vector<RunHead> runs;
};
std::map<std::string, NamedSet> named_sets(const std::vector<std::string>& result_dirs) {
  std::map<std::string, NamedSet> sets;
  for (std::size_t i = 0; i < result_dirs.size(); ++i) {
    const Json name = manifest_of(result_dirs[i]).value("name", Json());
    if (!name.is_string() || sets.contains(name)) continue;
    NamedSet& set = sets[name] = {i, {}};
    for (const Json& run : read_runs(result_dirs[i])) set.runs.push_back(run.get<RunHead>());
  }
  return sets;
}

Json entries_of(const std::string& paper, const std::string& result_dir, const std::map<std::string, NamedSet>& sets) {
  if (!paper.empty()) return fs::exists(entries_path(paper)) ? read_entries(paper) : Json::object();
  const Json manifest = manifest_of(result_dir);
  const auto own = sets.find(manifest.value("name", ""));
  if (own == sets.end()) return Json::object();
  std::vector<Json> specs;
  for (const RunHead& run : own->second.runs) specs.push_back(run.spec);
  return entries_of_config(manifest.value("config", Json::object()), own->first, specs);
}

}  // namespace

Origin origin_of(const std::string& result_dir) { return origin_of(manifest_of(result_dir)); }

Origin origin_of(const Json& manifest) {
  const Json provenance = manifest.value("provenance", Json::object());
  Origin origin;
  const auto add = [&](const Json& from, const char* key, const char* words) {
    if (!from.is_object()) return;
    if (const Json* value = from.find(key); value && value->is_string() && *value != "")
      origin.emplace_back(words, *value);
  };
  add(provenance, "version", "daelab");
  add(provenance, "commit", "commit");
  add(provenance, "compiler", "compiler");
  add(provenance, "date", "date");
  add(provenance, "cpu", "processor");
  add(provenance, "system", "system");
  add(provenance, "build", "build");
  add(provenance, "evaluation", "evaluation");
  add(provenance, "code", "code hash");
  add(manifest, "config_hash", "config hash");
  add(manifest, "command", "command");
  return origin;
}

Json evidence_json(const std::string& paper, const std::vector<std::string>& result_dirs) {
  Json json = Json::object();
  if (result_dirs.empty()) return json;
  const std::map<std::string, NamedSet> sets = named_sets(result_dirs);
  static const std::vector<RunHead> none;
  const auto runs = [&](const std::string& set) -> const std::vector<RunHead>& {
    const auto found = sets.find(set);
    return found == sets.end() ? none : found->second.runs;
  };
  for (const auto& [id, evidence] : evidence_of(entries_of(paper, result_dirs.front(), sets), runs))
    if (const auto set = sets.find(evidence.set); set != sets.end()) json[id] = {set->second.number, evidence.keys};
  return json;
}

}  // namespace daelab
