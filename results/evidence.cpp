#include "results/evidence.hpp"

#include <algorithm>

#include "results/claim_format.hpp"
#include "results/entry.hpp"

namespace daelab {
namespace {

// The members of an entry that refer to results.
constexpr const char* referring[] = {"value", "values", "true_value"};

// `visit` gets each <value> of stored results that an entry refers to.
void for_each_reference(const Json& entry, const auto& visit) {
  const auto visit_stored = [&](const Json& value, const std::string&) {
    if (value.is_object() && value.contains("set")) visit(value);
  };
  for (const char* place : referring) {
    if (!entry.contains(place)) continue;
    const Json& values = entry[place];
    if (!values.is_array()) visit_value(values, "", visit_stored);
    for (std::size_t i = 0; values.is_array() && i < values.size(); ++i) visit_value(values[i], "", visit_stored);
  }
}

void add_reference(const Json& value, const RunLookup& runs, Evidence& evidence) {
  const std::string set = value["set"];
  if (evidence.set.empty()) evidence.set = set;
  for (const char* selected : {"run", "series"})
    if (value.contains(selected))
      for (const RunHead& run : runs(set))
        if (selects(value[selected], run.spec)) evidence.keys.push_back(run.key);
}

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
      for_each_reference(entry, [&](const Json& value) { add_reference(value, runs, evidence); });
      keep_each_once(evidence.keys);
      if (!evidence.set.empty()) all[entry["id"]] = std::move(evidence);
    }
  return all;
}

std::map<std::string, std::set<std::string>> problems_of(const Json& entries) {
  std::map<std::string, std::set<std::string>> all;
  for (const EntryKind kind : entry_kinds)
    for (const Json& entry : entries.value(entry_list(kind), Json::array()))
      for_each_reference(entry, [&](const Json& value) {
        for (const char* selected : {"run", "series"})
          if (const Json name = value.value(selected, Json::object()).value("/problem/name", Json()); name.is_string())
            all[entry["id"]].insert(name.get<std::string>());
      });
  return all;
}

Json entries_about(const Json& entries, const std::vector<std::string>& sets) {
  Json some = entries;
  some.erase("passages");
  for (const EntryKind kind : entry_kinds) {
    if (!entries.contains(entry_list(kind))) continue;
    Json list = Json::array();
    for (const Json& entry : entries.at(entry_list(kind))) {
      bool is_about = true;
      for_each_reference(entry, [&](const Json& value) {
        is_about = is_about && std::find(sets.begin(), sets.end(), value["set"].get<std::string>()) != sets.end();
      });
      if (is_about) list.push_back(entry);
    }
    some[entry_list(kind)] = std::move(list);
  }
  return some;
}

std::vector<std::string> sets_in_order(const Json& entries) {
  std::vector<std::string> sets;
  for (const EntryKind kind : entry_kinds)
    for (const Json& entry : entries.value(entry_list(kind), Json::array()))
      for_each_reference(entry, [&](const Json& value) {
        if (const std::string set = value["set"]; std::find(sets.begin(), sets.end(), set) == sets.end())
          sets.push_back(set);
      });
  return sets;
}

}  // namespace daelab
