#include "report/page/page_sources.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>

#include "core/base/input_error.hpp"
#include "results/claims.hpp"
#include "results/entry.hpp"
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
class NamedSets {
 public:
  explicit NamedSets(const std::vector<std::string>& result_dirs) : dirs_(result_dirs) {
    for (std::size_t i = 0; i < dirs_.size(); ++i)
      if (const Json name = manifest_of(dirs_[i]).value("name", Json()); name.is_string())
        sets_.try_emplace(name, Set{i, {}});
  }
  std::optional<std::size_t> number(const std::string& name) const {
    const auto set = sets_.find(name);
    return set == sets_.end() ? std::nullopt : std::optional(set->second.number);
  }
  // Read when an entry asks for them: they may be many, and most sets have no entries.
  const std::vector<RunHead>& runs(const std::string& name) {
    static const std::vector<RunHead> none;
    const auto set = sets_.find(name);
    if (set == sets_.end()) return none;
    std::optional<std::vector<RunHead>>& runs = set->second.runs;
    if (!runs) runs = read_run_heads(dirs_[set->second.number]);
    return *runs;
  }

 private:
  struct Set {
    std::size_t number = 0;
    std::optional<std::vector<RunHead>> runs;
  };
  const std::vector<std::string>& dirs_;
  std::map<std::string, Set> sets_;
};

Json entries_of_set(const std::string& result_dir, NamedSets& sets) {
  const Json manifest = manifest_of(result_dir), config = manifest.value("config", Json::object());
  const auto given = [&](EntryKind kind) { return config.contains(entry_list(kind)); };
  if (std::ranges::none_of(entry_kinds, given)) return Json::object();
  const std::string name = manifest.value("name", "");
  std::vector<Json> specs;
  for (const RunHead& run : sets.runs(name)) specs.push_back(run.spec);
  return sets.number(name) ? entries_of_config(config, name, specs) : Json::object();
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

Json evidence_json(const Json& paper, const std::vector<std::string>& result_dirs) {
  Json json = Json::object();
  if (result_dirs.empty()) return json;
  NamedSets sets(result_dirs);
  const auto runs = [&](const std::string& set) -> const std::vector<RunHead>& { return sets.runs(set); };
  const Json entries = paper.is_null() ? entries_of_set(result_dirs.front(), sets) : paper;
  for (const auto& [id, evidence] : evidence_of(entries, runs))
    if (const auto number = sets.number(evidence.set)) json[id] = {*number, evidence.keys};
  return json;
}

}  // namespace daelab
