// A results folder as one text: "=== runs.jsonl" begins the lines of that file. Lines of runs get the checksum of what
// they have become: what was damaged before it was written is read, too.
#include <algorithm>
#include <filesystem>
#include <sstream>
#include <stdexcept>

#include "fuzz/target.hpp"
#include "report/report.hpp"
#include "results/claims.hpp"
#include "results/compare.hpp"
#include "results/run_log.hpp"
#include "results/run_record.hpp"
#include "results/store.hpp"

namespace daelab::fuzzing {
namespace {

namespace fs = std::filesystem;

std::string with_checksum(const std::string& line) {
  std::optional<Json> record = Json::try_parse(line);
  if (!record || !record->is_object()) return line;
  record->erase("checksum");
  return run_line(*record);
}

// Into a folder that is made anew.
std::string write_folder(const std::string& input) {
  const std::string folder = scratch_folder() + "/stored";
  fs::remove_all(folder);
  std::map<std::string, std::string> files;
  std::string name = "runs.jsonl";
  std::istringstream lines(input);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("=== "))
      name = line.substr(4);
    else
      files[name] += (name == "runs.jsonl" ? with_checksum(line) : line) + "\n";
  }
  for (const char* known : {"manifest.json", "runs.jsonl", "result.json", "analysis.json", "verdicts.json"})
    if (files.contains(known)) scratch_file(std::string("stored/") + known, files[known]);
  return folder;
}

// One refusal must not keep the others from being tried; the last one is told.
struct Attempts {
  std::string refusal;
  void operator()(const auto& attempt) {
    try {
      attempt();
    } catch (const InputError& error) {
      refusal = error.what();
    }
  }
};

// What the ends of records say is what whole ones say.
void compare_heads(const std::string& folder) {
  std::vector<RunHead> whole;
  for (const Json& run : read_runs(folder, true)) try {
      whole.push_back(run.get<RunHead>());
    } catch (const Json::exception&) {
      return;
    }
  const std::vector<RunHead> heads = read_run_heads(folder, true);
  const auto same = [](const RunHead& a, const RunHead& b) { return a.key == b.key && a.spec == b.spec; };
  if (!std::ranges::equal(whole, heads, same)) throw std::logic_error("heads of runs are not those of whole records");
}

void read_as_stored(const std::string& input) {
  const std::string folder = write_folder(input);
  Attempts attempt;
  attempt([&] {
    // An evaluation names the folder of a run that is no record (evaluate_stored in lab/runs/schedule.cpp).
    for (const Json& run : read_runs(folder, true)) try {
        run.get<RunRecord>();
      } catch (const Json::exception&) {
      }
  });
  attempt([&] { compare_heads(folder); });
  attempt([&] { read_analysis(folder); });
  attempt([&] { is_of_this_code(folder); });
  attempt([&] { compare(folder, folder, 0); });
  attempt([&] { write_report({folder}, scratch_folder() + "/report", {{"md", "csv", "tex"}, folder}); });
  attempt([&] { ResultStore::open(folder, "stored", Json::object()); });
  if (!attempt.refusal.empty()) throw InputError(attempt.refusal);
}

const TargetEntry entry("stored", read_as_stored);

}  // namespace
}  // namespace daelab::fuzzing
