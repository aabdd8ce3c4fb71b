#include "results/packs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/base/folder_name.hpp"
#include "core/base/input_error.hpp"
#include "core/base/json_file.hpp"
#include "core/base/json_kind.hpp"
#include "core/base/limits.hpp"
#include "core/base/paths.hpp"
#include "results/claim_format.hpp"
#include "results/claims.hpp"
#include "results/stored_files.hpp"
#include "results/zip_file.hpp"

namespace daelab {
namespace {

namespace fs = std::filesystem;

constexpr const char* file_lists[] = {"configs", "python"};
constexpr std::size_t most_entries = 100'000;

void check_authors(const Json& authors) {
  require(JsonKind::list, authors, "/authors");
  for (std::size_t i = 0; i < authors.size(); ++i) {
    const std::string where = fmt::format("/authors/{}", i);
    require_known_keys(authors[i], {"name", "orcid", "affiliation"}, where);
    require_text(authors[i], "name", where);
    for (const auto& [key, value] : authors[i].items()) require_text(authors[i], key, where);
  }
}

void check_audits(const Json& audits) {
  require(JsonKind::list, audits, "/audits");
  for (std::size_t i = 0; i < audits.size(); ++i) {
    const std::string where = fmt::format("/audits/{}", i);
    require_known_keys(audits[i], {"list", "refuted"}, where);
    require_text(audits[i], "list", where);
    require_path_inside(audits[i]["list"], where + "/list");
    if (!audits[i].contains("refuted")) continue;
    const Json& refuted = require(JsonKind::list, audits[i]["refuted"], where + "/refuted");
    for (std::size_t k = 0; k < refuted.size(); ++k) {
      const std::string place = fmt::format("{}/refuted/{}", where, k);
      require_known_keys(refuted[k], {"method", "property"}, place);
      for (const char* key : {"method", "property"}) require_text(refuted[k], key, place);
    }
  }
}

// They are there, and have the ending that they must have.
void check_listed_files(const Pack& pack) {
  for (const char* list : file_lists)
    for (std::size_t i = 0; i < pack.entries.value(list, Json::array()).size(); ++i)
      if (const std::string path = pack.entries[list][i]; !fs::is_regular_file(fs::path(pack.folder) / path))
        throw InputError(pack.folder + "/" + pack_file_name + ": " + fmt::format("/{}/{}", list, i),
                         fmt::format("the pack holds no file '{}'", path));
}

void check_entry_count(const Json& entries, const std::string& file) {
  std::size_t count = 0;
  for (const EntryKind kind : entry_kinds) count += entries.value(entry_list(kind), Json::array()).size();
  if (count > most_entries)
    throw InputError(file, fmt::format("has {} entries, more than the {} that a pack may have", count, most_entries));
}

Pack read_pack(const std::string& folder, bool of_project) {
  Pack pack{"", fs::absolute(folder).lexically_normal().string(), {}, of_project};
  if (pack.folder.ends_with('/')) pack.folder.pop_back();
  const std::string file = pack.folder + "/" + pack_file_name;
  pack.entries = read_entries_file(file);
  pack.name = pack.entries["paper"];
  require_folder_name(pack.name, file + ": /paper");
  check_entry_count(pack.entries, file);
  check_listed_files(pack);
  return pack;
}

}  // namespace

std::vector<std::string> Pack::config_paths() const {
  std::vector<std::string> paths;
  if (entries.contains("configs")) {
    for (const Json& path : entries["configs"]) paths.push_back(folder + "/" + path.get<std::string>());
    return paths;
  }
  // Not those of folders in its folder, which hold problems.
  for (const auto& file : fs::directory_iterator(folder))
    if (const std::string name = file.path().filename();
        file.path().extension() == ".json" && name != pack_file_name && !is_made_for_artifact(name))
      paths.push_back(file.path().string());
  std::ranges::sort(paths);
  return paths;
}

Pack project_pack(const std::string& name) { return read_pack(project_path("experiments/" + name), true); }

bool is_made_for_artifact(const std::string& path) {
  return path.starts_with(results_part) || path.starts_with(report_part) || path == crate_file_name ||
         path == versions_file_name;
}

bool is_pack_folder(const std::string& folder) { return fs::is_regular_file(fs::path(folder) / pack_file_name); }

Pack pack_in(const std::string& folder) {
  if (!fs::is_directory(folder)) throw InputError(fmt::format("no folder '{}'", folder));
  if (!is_pack_folder(folder))
    throw InputError(fmt::format("{} is no pack: it holds no {}; daelab pack new makes one", folder, pack_file_name));
  files_of_pack(folder);
  return read_pack(folder, false);
}

std::vector<std::string> files_of_pack(const std::string& folder) {
  std::vector<std::string> paths;
  std::uintmax_t bytes = 0;
  for (auto file = fs::recursive_directory_iterator(folder); file != fs::recursive_directory_iterator(); ++file) {
    const std::string path = file->path().lexically_relative(folder).string();
    if (file->path().filename().string().starts_with('.')) {
      file.disable_recursion_pending();
      continue;
    }
    if (file->is_symlink())
      throw InputError(file->path().string(), "is a symbolic link, which no pack may hold: put the file in its place");
    if (file->is_directory()) continue;
    if (!file->is_regular_file()) throw InputError(file->path().string(), "is neither file nor folder");
    bytes += file->file_size();
    paths.push_back(path);
    if (paths.size() > most_pack_files)
      throw InputError(folder, fmt::format("holds more than the {} files that a pack may have", most_pack_files));
    if (bytes > static_cast<std::uintmax_t>(limits().file_bytes))
      throw InputError(folder, "holds more bytes than allowed " + limit_hint("file-bytes"));
  }
  std::ranges::sort(paths);
  return paths;
}

void check_pack_keys(const Json& entries) {
  if (entries.contains("authors")) check_authors(entries["authors"]);
  if (entries.contains("audits")) check_audits(entries["audits"]);
  if (entries.contains("licence")) require_text(entries, "licence", "");
  for (const char* list : file_lists) {
    if (!entries.contains(list)) continue;
    const Json& paths = require(JsonKind::list, entries[list], fmt::format("/{}", list));
    for (std::size_t i = 0; i < paths.size(); ++i) {
      const std::string where = fmt::format("/{}/{}", list, i);
      require_path_inside(require(JsonKind::text, paths[i], where), where);
    }
  }
}

std::vector<std::string> project_packs() {
  std::vector<std::string> names;
  // A program without its data says so when it needs them; a set that is carried out again has none.
  std::error_code none;
  for (const auto& folder : fs::directory_iterator(project_path("experiments"), none))
    if (is_pack_folder(folder.path().string())) names.push_back(folder.path().filename().string());
  std::ranges::sort(names);
  return names;
}

std::string entries_path(const std::string& paper) {
  return project_path("experiments/" + paper + "/" + pack_file_name);
}

Json read_entries(const std::string& paper) { return read_entries_file(entries_path(paper)); }

Json entries_of_results(const std::string& folder, const std::string& paper) {
  const std::string kept = folder + "/" + pack_file_name;
  const std::string path = fs::exists(kept) ? kept : entries_path(paper);
  return fs::exists(path) ? read_entries_file(path) : Json();
}

Json read_entries_file(const std::string& path) {
  Json entries = read_json_file(path);
  try {
    read_stored_numbers(entries, fs::path(path).parent_path().string());
    check_entries(entries);
    check_pack_keys(entries);
  } catch (const InputError& error) {
    throw error.in(path);
  }
  return entries;
}

const std::map<std::string, Json>& contents_by_citation() {
  static const std::map<std::string, Json> contents = [] {
    std::map<std::string, Json> result;
    for (const std::string& name : project_packs())
      if (const Json paper = read_json_file(entries_path(name)); paper.is_object() && paper.contains("cited_as"))
        result[paper["cited_as"]] = paper.value("contents", Json::object());
    return result;
  }();
  return contents;
}

}  // namespace daelab
