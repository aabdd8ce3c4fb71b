#include "lab/pack_maker.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "core/base/context.hpp"
#include "core/base/folder_name.hpp"
#include "core/base/input_error.hpp"
#include "core/base/json_file.hpp"
#include "core/base/json_kind.hpp"
#include "core/base/paths.hpp"
#include "core/base/write_file.hpp"
#include "lab/pack_context.hpp"
#include "lab/project.hpp"
#include "lab/result_sets.hpp"
#include "lab/runs/run_inputs.hpp"
#include "results/crate.hpp"
#include "results/evidence.hpp"
#include "results/set_files.hpp"
#include "results/store.hpp"
#include "results/table_entries.hpp"
#include "results/verdicts.hpp"
#include "results/zip_file.hpp"

namespace daelab {
namespace {

namespace fs = std::filesystem;

constexpr const char *citation_file = "CITATION.cff", *licence_file = "LICENSE", *readme_file = "README.md";

std::string text_of(const Json& json) { return json.dump(1) + "\n"; }

std::string bytes_of(const std::string& path) {
  std::optional<std::string> bytes = file_bytes(path);
  if (!bytes) throw InputError("cannot read " + path);
  return std::move(*bytes);
}

// ----- a new pack -----

// The config that a result set was made of.
std::string config_of_set(const std::string& folder) {
  const std::string where = folder + "/manifest.json: ";
  const Json manifest = read_manifest(folder), inputs = require_member(JsonKind::object, manifest, "inputs", where);
  std::string file = require_member(JsonKind::text, inputs, "config_file", where + "/inputs");
  if (!fs::exists(file)) throw InputError(where + "/inputs/config_file", fmt::format("there is no file {}", file));
  return file;
}

bool is_set(const fs::path& folder) { return fs::is_regular_file(folder / "manifest.json"); }

std::vector<std::string> config_files(const NewPack& made) {
  std::vector<std::string> given = made.configs, files;
  if (given.empty() && fs::is_directory(made.out_dir))
    for (const auto& folder : fs::directory_iterator(made.out_dir))
      if (is_set(folder.path())) given.push_back(folder.path().string());
  if (given.empty())
    throw InputError(fmt::format("no config is given, and {} holds no results of one: daelab pack new NAME CONFIG...",
                                 made.out_dir));
  if (made.configs.empty()) std::ranges::sort(given);
  for (const std::string& one : given) files.push_back(is_set(one) ? config_of_set(one) : one);
  return files;
}

// The path in the pack of a file that a config names: its path from the config.
std::string place_in_pack(const std::string& file, const Config& config) {
  const fs::path folder = fs::absolute(config.path).lexically_normal().parent_path();
  const std::string place = fs::path(file).lexically_relative(folder).string();
  if (place.empty() || place.starts_with(".."))
    throw InputError(config.path, fmt::format("names {}, which is not in its folder: a pack holds what its configs "
                                              "name, so put the file there, and name it relative to the config",
                                              file));
  return place;
}

void add_once(FilesByPath& files, const std::string& place, std::string bytes) {
  const auto [at, is_new] = files.try_emplace(place, bytes);
  if (!is_new && at->second != bytes)
    throw InputError(fmt::format("two files would be {} of the pack: rename one", place));
}

void add_config(FilesByPath& files, Json& entries, const Config& config) {
  const std::string place = fs::path(config.path).filename();
  if (files.contains(place) || place == pack_file_name)
    throw InputError(config.path, fmt::format("would be {} of the pack, as another file: rename it", place));
  files[place] = bytes_of(config.path);
  entries["configs"].push_back(place);
  for (const std::string& name : named_files(config)) {
    const std::string file = fs::path(name).is_absolute() ? name : project_path(name);
    add_once(files, place_in_pack(file, config), bytes_of(file));
  }
}

void take_over_results(const std::string& set, const std::string& from, const std::string& to) {
  const fs::path source = fs::path(from) / set, target = fs::path(to) / set;
  if (!is_set(source) || fs::exists(target)) return;
  fs::create_directories(to);
  fs::copy(source, target, fs::copy_options::recursive | fs::copy_options::skip_symlinks);
  fs::remove_all(target / "report");
}

// ----- what a pack is about -----

std::vector<std::string> names_of_configs(const Pack& pack) {
  std::vector<std::string> names;
  for (const std::string& path : pack.config_paths())
    if (const Json config = read_json_file(path); config.is_object()) names.push_back(config.value("name", ""));
  return names;
}

NamedSet named_set(const std::string& folder, const std::string& name) {
  const std::string set = folder + "/" + name;
  return {name, {read_runs(set), read_analysis(set)}, read_checked_file(set + "/result.json").get<Artifacts>()};
}

// ----- the artifact -----

// Files of a folder of results, except what the report made of them and other packs.
void add_results(FilesByPath& files, const std::string& folder, const std::string& place) {
  for (const std::string& path : files_of_pack(folder))
    if (!path.starts_with(report_part)) files[place + path] = bytes_of(folder + "/" + path);
}

CrateSet crate_set(const Pack& pack, const std::string& folder, const std::string& name, const std::string& config) {
  CrateSet set{name, config, read_manifest(folder + "/" + name), {}};
  const Json inputs = set.manifest.value("inputs", Json::object()).value("files", Json::object());
  for (const auto& [file, kept] : inputs.items())
    if (file.starts_with(pack.folder + "/")) set.inputs.push_back(file.substr(pack.folder.size() + 1));
  return set;
}

}  // namespace

Pack lay_out_pack(const NewPack& made) {
  load_project();
  const fs::path folder = fs::absolute(fs::path(made.folder) / "").lexically_normal().parent_path();
  const std::string name = folder.filename();
  require_folder_name(name, "pack new: the name");
  if (fs::exists(folder)) throw InputError(made.folder, "exists already: a new pack needs a new folder");
  Json entries = {{"paper", name}, {"title", made.title}, {"reference", "unpublished"}};
  if (!made.licence.empty()) entries["licence"] = made.licence;
  entries["authors"] = entries["configs"] = Json::array();
  for (const std::string& author : made.authors) entries["authors"].push_back({{"name", author}});
  FilesByPath files;
  std::set<std::string> sets;
  for (const std::string& file : config_files(made)) {
    const Config config = read_config(file);
    if (!sets.insert(config.name).second)
      throw InputError(file, fmt::format("/name: another config has the name '{}', too", config.name));
    if (made.title.empty() && sets.size() == 1) entries["title"] = config.title;
    add_config(files, entries, config);
  }
  entries["contents"] = Json::object(), entries["claims"] = Json::array();
  files[pack_file_name] = text_of(entries);
  write_folder(folder.string(), files);
  for (const std::string& set : sets) take_over_results(set, made.out_dir, results_folder(name, made.out_dir));
  return pack_in(folder.string());
}

int claim_results(const Pack& pack, const std::string& out_dir) {
  const std::string folder = results_folder(pack.name, out_dir);
  std::vector<NamedSet> sets;
  for (const std::string& name : names_of_configs(pack)) sets.push_back(named_set(folder, name));
  TableEntries made = entries_of_tables(sets);
  Json entries = pack.entries;
  entries["contents"] = std::move(made.contents), entries["claims"] = std::move(made.claims);
  check_entries(entries);
  write_file(pack.folder + "/" + pack_file_name, text_of(entries));
  return made.left_out;
}

std::vector<PackRemark> check_pack(const Pack& pack, const std::string& out_dir) {
  load_project();
  const PackContext context(pack, Context::current());
  const Context::Scope scope(context.get());
  std::vector<PackRemark> remarks;
  for (const std::string& path : pack.config_paths()) try {
      read_config(path);
    } catch (const InputError& error) {
      remarks.push_back({fs::path(path).filename(), error.what()});
    }
  std::vector<std::string> names;
  if (remarks.empty()) names = names_of_configs(pack);
  if (names.empty() && remarks.empty()) remarks.push_back({pack_file_name, "/configs: the pack has none"});
  if (!remarks.empty()) return remarks;
  remarks = remarks_on_file(pack, names);
  const std::string folder = results_folder(pack.name, out_dir);
  const bool there = std::ranges::all_of(
      names, [&](const std::string& name) { return fs::exists(folder + "/" + name + "/result.json"); });
  if (!there) {
    remarks.push_back({folder, fmt::format("holds no results to check the entries by: daelab reproduce {} makes them",
                                           pack.of_project ? pack.name : pack.folder)});
    return remarks;
  }
  for (PackRemark& remark : remarks_on_values(pack.entries, stored_results(folder)))
    remarks.push_back(std::move(remark));
  return remarks;
}

bool has_current_results(const Pack& pack, const std::string& out_dir) {
  const std::string folder = results_folder(pack.name, out_dir);
  if (file_bytes(folder + "/" + pack_file_name) != file_bytes(pack.folder + "/" + pack_file_name)) return false;
  if (!fs::exists(verdicts_path(folder)) || !fs::exists(folder + "/report/index.html")) return false;
  return std::ranges::all_of(pack.config_paths(), [&](const std::string& path) {
    const Json config = read_json_file(path);
    const std::string set = folder + "/" + config.value("name", "");
    return fs::exists(set + "/result.json") && is_of_this_code(set) && read_manifest(set)["config"] == config;
  });
}

std::string artifact_of(const Pack& pack, const std::string& out_dir) {
  const std::string folder = results_folder(pack.name, out_dir);
  FilesByPath files;
  for (const std::string& path : files_of_pack(pack.folder))
    if (!is_made_for_artifact(path)) files[path] = bytes_of(pack.folder + "/" + path);
  std::vector<CrateSet> sets;
  for (const std::string& path : pack.config_paths()) {
    const std::string name = read_json_file(path).value("name", "");
    add_results(files, folder + "/" + name, results_part + name + "/");
    sets.push_back(crate_set(pack, folder, name, fs::path(path).lexically_relative(pack.folder).string()));
  }
  for (const char* file : {"sets.json", "verdicts.json"})
    files[std::string(results_part) + file] = bytes_of(folder + "/" + file);
  for (const std::string& path : files_of_pack(folder + "/report"))
    files[report_part + path] = bytes_of(folder + "/report/" + path);
  files[versions_file_name] = versions_text(sets);
  files.try_emplace(citation_file, citation_text(pack, sets));
  files.try_emplace(licence_file, licence_text(pack));
  files.try_emplace(readme_file, readme_text(pack));
  files[crate_file_name] = crate_metadata(pack, files, sets);
  if (files.size() > most_pack_files)
    throw InputError(pack.folder, fmt::format("its artifact would hold {} files, more than the {} that a pack may have",
                                              files.size(), most_pack_files));
  return zip_of(files);
}

}  // namespace daelab
