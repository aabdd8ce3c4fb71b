// Packs: a paper as a folder that anyone can make, carry and check.
//
//   pack.json        what is claimed, and where: the format of results/claims.hpp, with
//     "authors": [{"name": "Ada Example", "orcid": "https://orcid.org/0000-0002-1825-0097"}], who made the pack
//     "licence": "CC-BY-4.0",            of the pack, as SPDX names it
//     "configs": ["a.json", "b.json"],   left out: all *.json of the folder itself but pack.json
//     "python": ["methods.py"]           programs that register methods, which run only where that is allowed
//     "audits": [{"list": "claims.json",     claims about methods, as `daelab audit` takes them
//                 "refuted": [{"method": "slip", "property": "order"}]}]     those of them that are expected to be
//   <config>.json    configs, which carry the names of their result sets
//   ...              what the configs name: problems, tableaus, tables of others
//
// The packs of the project are the folders of experiments/ that hold a pack.json. Any other pack is data: it holds no
// links, and names no file outside of itself.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/base/json.hpp"

namespace daelab {

/// "pack.json"
inline constexpr const char* pack_file_name = "pack.json";
/// Files and folders that artifacts have (results/crate.hpp).
inline constexpr const char *crate_file_name = "ro-crate-metadata.json", *versions_file_name = "versions.json",
                            *results_part = "results/", *report_part = "report/";

struct Pack {
  std::string name;    // "paper" of its file
  std::string folder;  // absolute
  Json entries;        // its file, checked
  bool of_project = false;

  /// Of its configs, in the order of their list, else sorted.
  std::vector<std::string> config_paths() const;
};

/// Throws InputError where the project has no such pack, or its file is wrong.
Pack project_pack(const std::string& name);
/// The pack in a folder. Throws InputError for a folder without pack.json, with the place of what is wrong: also for
/// links, files that the lists name and that are not there, and more files or bytes than a pack may have.
Pack pack_in(const std::string& folder);
/// A file that an artifact of a pack has beside it: its results, its report and what it says of itself.
bool is_made_for_artifact(const std::string& path);

/// The folder holds a pack.json.
bool is_pack_folder(const std::string& folder);

/// Paths of all files below a folder, relative to it, sorted; hidden ones are left out. Throws InputError for links and
/// devices, and for more files or bytes than a pack may have.
std::vector<std::string> files_of_pack(const std::string& folder);

/// Throws InputError under "/authors", ... for keys of a pack that are not as above.
void check_pack_keys(const Json& entries);

/// The packs of the project, by name, sorted.
std::vector<std::string> project_packs();

/// pack.json of a pack of the project.
std::string entries_path(const std::string& paper);
/// The same, read and checked. Throws InputError with the file.
Json read_entries(const std::string& paper);
/// Any pack.json, read and checked. Throws InputError with the file.
Json read_entries_file(const std::string& path);
/// The pack.json that the results of a pack keep; without one, as of an earlier version, that of the project's pack of
/// this name; null where there is neither. Throws InputError with the file.
Json entries_of_results(const std::string& folder, const std::string& paper);

/// The contents of the project's papers by the words that configs cite them by: "Ren, Zhou 2020".
const std::map<std::string, Json>& contents_by_citation();

}  // namespace daelab
