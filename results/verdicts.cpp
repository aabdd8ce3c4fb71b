#include "results/verdicts.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "core/base/json_kind.hpp"
#include "results/set_files.hpp"

namespace daelab {

std::string verdicts_path(const std::string& folder) { return folder + "/verdicts.json"; }

void write_verdicts(const std::vector<Judgement>& judgements, const std::string& folder) {
  if (judgements.empty())
    std::filesystem::remove(verdicts_path(folder));
  else
    write_set_file(verdicts_path(folder), checked_text({{"verdicts", judgements}}, 1), true);
}

std::vector<Judgement> read_verdicts(const std::string& folder) {
  const std::string path = verdicts_path(folder);
  if (folder.empty() || !std::filesystem::exists(path)) return {};
  const Json json = read_checked_file(path);
  // A list alone is of an earlier version.
  const Json& list = json.is_array() ? json : require_member(JsonKind::list, json, "verdicts", path + ": ");
  std::vector<Judgement> judgements;
  for (const Json& judgement : list) try {
      judgements.push_back(judgement.get<Judgement>());
    } catch (const InputError& error) {
      const std::string list_place = json.is_array() ? "" : "/verdicts";
      throw InputError(fmt::format("{}: {}/{}{}", path, list_place, judgements.size(), error.where()), error.message());
    }
  return judgements;
}

}  // namespace daelab
