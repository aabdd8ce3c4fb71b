#include "results/packs.hpp"

#include <algorithm>
#include <filesystem>

#include "core/base/input_error.hpp"
#include "core/base/json_file.hpp"
#include "core/base/paths.hpp"
#include "results/claims.hpp"

namespace daelab {
namespace fs = std::filesystem;

std::vector<std::string> project_packs() {
  std::vector<std::string> names;
  std::error_code
      none;  // a program without its data says so when it needs them, a set that is carried out again has none
  for (const auto& folder : fs::directory_iterator(project_path("experiments"), none))
    if (fs::exists(folder.path() / pack_file_name)) names.push_back(folder.path().filename().string());
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
    check_entries(entries);
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
