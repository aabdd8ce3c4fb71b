#include "lab/result_sets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/base/folder_name.hpp"
#include "core/base/json_file.hpp"
#include "core/base/json_kind.hpp"
#include "core/base/write_file.hpp"
#include "results/packs.hpp"
#include "results/reference_errors.hpp"
#include "results/store.hpp"

namespace daelab {
namespace {

namespace fs = std::filesystem;

std::string list_path(const std::string& folder) { return folder + "/sets.json"; }

std::vector<std::string> candidates(const std::string& folder) {
  std::vector<std::string> sets;
  if (fs::exists(list_path(folder))) {
    const std::string path = list_path(folder);
    const Json names = read_json_file(path);
    for (const Json& name : require(JsonKind::list, names, path)) {
      const std::string where = fmt::format("{}: /{}", path, sets.size());
      require_folder_name(require(JsonKind::text, name, where), where);
      sets.push_back(folder + "/" + name.get<std::string>());
    }
    return sets;
  }
  for (const auto& entry : fs::directory_iterator(folder)) sets.push_back(entry.path().string());
  std::sort(sets.begin(), sets.end());
  return sets;
}

// The results of a pack of audits are verdicts alone.
bool is_of_audits(const std::string& folder) {
  return is_pack_folder(folder) && read_json_file(folder + "/" + pack_file_name).contains("audits");
}

}  // namespace

std::vector<std::string> result_sets(const std::string& folder) {
  if (!fs::is_directory(folder)) throw InputError("no folder '" + folder + "'");
  if (fs::exists(folder + "/result.json")) return {folder};
  std::vector<std::string> sets = candidates(folder);
  std::erase_if(sets, [](const std::string& set) { return !fs::exists(set + "/result.json"); });
  if (sets.empty() && !is_of_audits(folder))
    throw InputError("no results in '" + folder + "': make some with daelab run or daelab reproduce");
  return sets;
}

void list_paper_sets(const std::string& folder, const std::vector<std::string>& names) {
  fs::create_directories(folder);
  write_file(list_path(folder), Json(names).dump(1) + "\n");
}

LoadedSet load(const std::string& folder) {
  const Json manifest = read_manifest(folder);
  const std::string where = folder + "/manifest.json: ";
  const Json& config = require_member(JsonKind::object, manifest, "config", where);
  const auto text = [&](const char* key) {
    return require_member(JsonKind::text, config, key, where + "/config").get<std::string>();
  };
  LoadedSet set{folder, text("name"), "", text("experiment"), {}, read_analysis(folder)};
  set.title = config.contains("title") ? text("title") : set.name;
  for (const Json& run : read_runs_with_errors(folder))
    set.runs.push_back({run.get<RunHead>(), run.get<RunEnd>(), run});
  return set;
}

}  // namespace daelab
