#include "results/evidence.hpp"

#include <algorithm>

#include "results/claim_format.hpp"
#include "results/entry.hpp"

namespace daelab {
namespace {

// References to values are in an entry one by one, in lists, and under "over".
void add_references(const Json& json, const RunLookup& runs, Evidence& evidence) {
  if (json.is_array())
    for (const Json& element : json) add_references(element, runs, evidence);
  if (!json.is_object()) return;
  if (!json.contains("set")) return;
  const std::string set = json["set"];
  if (evidence.set.empty()) evidence.set = set;
  for (const char* selected : {"run", "series"})
    if (json.contains(selected))
      for (const RunHead& run : runs(set))
        if (selects(json[selected], run.spec)) evidence.keys.push_back(run.key);
  if (json.contains("over")) add_references(json["over"], runs, evidence);
}

void add_sets(const Json& json, std::vector<std::string>& sets) {
  if (json.is_array())
    for (const Json& element : json) add_sets(element, sets);
  if (!json.is_object() || !json.contains("set")) return;
  if (const std::string set = json["set"]; std::find(sets.begin(), sets.end(), set) == sets.end()) sets.push_back(set);
  if (json.contains("over")) add_sets(json["over"], sets);
}

// The members of an entry that refer to results.
constexpr const char* referring[] = {"value", "values", "true_value"};

void keep_each_once(std::vector<std::string>& keys) {
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
}

}  // namespace

std::map<std::string, Evidence> evidence_of(const Json& entries, const RunLookup& runs) {
  std::map<std::string, Evidence> all;
  for (const EntryKind kind : entry_kinds)
    for (const Json& entry : entries.value(entry_list(kind), Json::array())) {
      Evidence evidence;
      for (const char* place : referring)
        if (entry.contains(place)) add_references(entry[place], runs, evidence);
      keep_each_once(evidence.keys);
      if (!evidence.set.empty()) all[entry["id"]] = std::move(evidence);
    }
  return all;
}

std::vector<std::string> sets_in_order(const Json& entries) {
  std::vector<std::string> sets;
  for (const EntryKind kind : entry_kinds)
    for (const Json& entry : entries.value(entry_list(kind), Json::array()))
      for (const char* place : referring)
        if (entry.contains(place)) add_sets(entry[place], sets);
  return sets;
}

}  // namespace daelab
