// runs.jsonl: the runs of a results folder, a line each, in the order in which they were appended.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/base/json.hpp"
#include "core/base/scalar.hpp"

namespace daelab {

/// The runs of a folder as they were appended.
struct RunLog {
  std::vector<Json> records;
  std::map<std::string, std::size_t> by_key;     // the last one wins
  std::map<std::string, std::string> malformed;  // by key: what is wrong with a run that no later line replaces
  int lines = 0, unreadable = 0;
  std::size_t good_bytes = 0;  // up to and with the last complete line
  bool complete_tail = false;  // only the newline of the last line is missing

  void add(Json record);
  void add_line(const std::string& line);
  /// How many of the runs with different keys have none of these.
  std::size_t count_others(const std::set<std::string>& keys) const;
  /// What the config of the manifest asks for; all of them where it does not say.
  std::vector<Json> asked_for(const Json& manifest, bool with_reference) const;
};

RunLog load_runs(const std::string& path);

/// The line of a record, with a checksum of itself as its last member.
std::string run_line(const Json& record);
/// One line of runs.jsonl, without its checksum; null when it is none, or not as it was written.
Json parse_run(const std::string& line);

/// Throws InputError with a JSON pointer for what no record of a run of any kind holds.
void check_run(const Json& record);

/// What tells a run from others, whatever computed it.
Json spec_of(const Json& run);

/// The keys of the runs that the config of the manifest asks for.
std::set<std::string> asked_keys(const Json& manifest, bool with_reference);

/// A JSON number, or a string that is a decimal number.
std::optional<Real50> as_number(const Json& json);

}  // namespace daelab
