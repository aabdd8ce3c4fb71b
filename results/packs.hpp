// Packs: a paper as a folder that anyone can make, carry and check.
//
//   pack.json        what is claimed, and where: the format of results/claims.hpp
//   <config>.json    configs, which carry the names of their result sets
//   ...              what the configs name: problems, tableaus, tables of others
//
// The packs of the project are the folders of experiments/ that hold a pack.json.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/base/json.hpp"

namespace daelab {

/// "pack.json"
inline constexpr const char* pack_file_name = "pack.json";

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
