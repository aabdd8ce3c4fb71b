// export: trajectories of a result set as CSV files, packed or not.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <map>

#include "app/commands.hpp"
#include "core/base/json.hpp"
#include "core/base/write_file.hpp"
#include "results/provenance.hpp"
#include "results/run_record.hpp"
#include "results/store.hpp"
#include "results/trajectory_store.hpp"

namespace daelab::app {
namespace {

// The checksums of the trajectories of a set, by the keys of their runs.
std::map<std::string, std::string> trajectories_of(const std::string& folder) {
  std::map<std::string, std::string> list;
  for (const Json& record : read_runs(folder, true))
    if (const auto run = record.get<RunHead>(); !run.trajectory.empty()) list[run.key] = run.trajectory;
  return list;
}

}  // namespace

int export_trajectories(const std::string& folder, std::vector<std::string> keys, const std::string& to) {
  const std::map<std::string, std::string> known = trajectories_of(folder);
  if (keys.empty())
    for (const auto& [key, checksum] : known) keys.push_back(key);
  for (const std::string& key : keys)
    if (!known.contains(key))
      throw InputError(
          fmt::format("{} has no run '{}' with a trajectory; \"key\" in runs.jsonl names them", folder, key));
  std::filesystem::create_directories(to);
  for (const std::string& key : keys) {
    const auto text = read_trajectory(trajectory_path(folder, key));
    if (!text || content_hash(*text) != known.at(key))
      throw InputError(
          fmt::format("the trajectory of {} in {} is missing or not as it was written; daelab run makes it "
                      "again",
                      key, folder));
    write_file(fmt::format("{}/{}.csv", to, key), *text);
  }
  fmt::print("{} trajectories in {}\n", keys.size(), to);
  return 0;
}

}  // namespace daelab::app
