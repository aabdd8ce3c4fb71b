#include "results/claim_format.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <regex>
#include <set>

#include "core/base/exact.hpp"
#include "core/base/folder_name.hpp"
#include "core/base/json_kind.hpp"
#include "core/base/message.hpp"
#include "results/claims.hpp"
#include "results/contents.hpp"
#include "results/packs.hpp"
#include "results/stored_files.hpp"
#include "results/told_numbers.hpp"

namespace daelab {
namespace {

const std::vector<std::string> common_texts = {"id", "location", "expected"};
const std::vector<std::string> optional_texts = {"table", "row", "column", "kind", "reason"};

// What an entry quotes or states.
std::vector<std::string> own_texts(EntryKind kind) {
  switch (kind) {
    case EntryKind::claim:
      return {"printed"};
    case EntryKind::finding:
      return {"statement"};
    case EntryKind::check:
      return {"printed", "source"};
  }
  return {};
}

std::vector<std::string> required_texts(EntryKind kind) {
  std::vector<std::string> keys = common_texts;
  for (const std::string& key : own_texts(kind)) keys.push_back(key);
  return keys;
}

// A finding says in its statement what it is judged by.
std::vector<std::string> allowed_texts(EntryKind kind) {
  std::vector<std::string> keys = optional_texts;
  if (kind != EntryKind::finding) keys.emplace_back("judged_by");
  return keys;
}

std::vector<std::string> entry_keys(EntryKind kind) {
  std::vector<std::string> keys = required_texts(kind);
  for (const std::string& key : allowed_texts(kind)) keys.push_back(key);
  keys.insert(keys.end(), {"claimed", "value", "values", "true_value", "numbers", "given"});
  if (kind == EntryKind::finding) keys.emplace_back("recorded");
  return keys;
}

void check_quoted_number(EntryKind kind, const Json& entry, const std::string& where) {
  static const std::regex number(R"([-+]?\d+(\.\d+)?([eE][-+]?\d+)?)");
  const std::string key = kind == EntryKind::finding ? "recorded" : "printed";
  require_text(entry, key, where);
  const std::string text = entry[key];
  constexpr std::size_t longest = 100;  // std::regex goes down one level by a character
  if (text.size() > longest || !std::regex_match(text, number))
    throw InputError(where + "/" + key, "must be a number such as 7.0007E-5, not " + without_middle(text));
}

void check_values_to_compare(const Json& entry, const std::string& where) {
  if (!entry.contains("values") || !entry["values"].is_array() || entry["values"].size() < 2)
    throw InputError(where, "needs \"values\", two or more, in the claimed order");
  for (std::size_t i = 0; i < entry["values"].size(); ++i)
    check_value(entry["values"][i], fmt::format("{}/values/{}", where, i));
}

// Exact constants, or lists of them to any depth that a formula has.
void check_exact(const Json& claimed, const std::string& where, int depth = 0) {
  constexpr int deepest = 8;
  if (!claimed.is_array() || depth == deepest) {
    exact_from_json(claimed, where);
    return;
  }
  for (std::size_t i = 0; i < claimed.size(); ++i) check_exact(claimed[i], fmt::format("{}/{}", where, i), depth + 1);
}

void check_claimed(const Json& entry, Rule rule, const std::string& where) {
  const Json claimed = entry.value("claimed", Json());
  switch (rule) {
    case Rule::status:
      return require_text(entry, "claimed", where);
    case Rule::exact:
      return check_exact(claimed, where + "/claimed");
    case Rule::holds:
      if (!claimed.is_boolean()) throw InputError(where, "needs \"claimed\", true or false");
      return;
    default:
      if (!claimed.is_number()) throw InputError(where, "needs \"claimed\", a number");
  }
}

Rule checked_rule(EntryKind kind, const Json& entry, const std::string& where) {
  const std::string name = entry.value("kind", "number");
  const std::optional<Rule> rule = rule_named(name);
  if (!rule)
    throw InputError(where + "/kind", fmt::format("no kind '{}'{} (known: {})", name, did_you_mean(name, rule_names()),
                                                  fmt::join(rule_names(), ", ")));
  if (verdicts_of(kind, *rule).empty())
    throw InputError(where + "/kind", fmt::format("'{}' is of claims alone, not of a {}", name, entry_name(kind)));
  return *rule;
}

void check_expected(EntryKind kind, Rule rule, const std::string& expected, const std::string& where) {
  const std::vector<VerdictKind> verdicts = verdicts_of(kind, rule);
  if (std::find(verdicts.begin(), verdicts.end(), verdict_kind(expected)) != verdicts.end()) return;
  std::vector<std::string> words;
  for (const VerdictKind verdict : verdicts)
    words.emplace_back(verdict == VerdictKind::some_digits ? "k digits" : verdict_words(verdict));
  throw InputError(where + "/expected",
                   fmt::format("'{}' is no verdict on such a {}{} (known: {})", without_middle(expected),
                               entry_name(kind), did_you_mean(expected, words), fmt::join(words, ", ")));
}

// A key of another kind of entry says what was mixed up.
void require_keys_of(EntryKind kind, const Json& entry, const std::string& where) {
  if (kind == EntryKind::finding && entry.is_object() && entry.contains("printed"))
    throw InputError(where + "/printed",
                     "a finding quotes nothing that a paper prints: say it in \"statement\", record a number in "
                     "\"recorded\", or list it among \"claims\"");
  require_known_keys(entry, entry_keys(kind), where);
}

void check_entry(EntryKind kind, const Json& entry, const std::string& where) {
  require_keys_of(kind, entry, where);
  for (const std::string& key : required_texts(kind)) require_text(entry, key, where);
  for (const std::string& key : allowed_texts(kind))
    if (entry.contains(key)) require_text(entry, key, where);
  const Rule rule = checked_rule(kind, entry, where);
  check_expected(kind, rule, entry["expected"], where);
  if (judges_a_number(rule)) check_quoted_number(kind, entry, where);
  if (compares_values(rule) || entry.contains("values")) check_values_to_compare(entry, where);
  for (const char* key : {"value", "true_value"})
    if (entry.contains(key)) check_value(entry[key], where + "/" + key);
  if (!compares_values(rule) && !entry.contains("value")) throw InputError(where, "needs \"value\"");
  if (!judges_a_number(rule) && (!compares_values(rule) || rule == Rule::similar || counts_values(rule)))
    check_claimed(entry, rule, where);
}

// The lists of entries that there are. `visit` gets kind, list and place.
void for_each_list(auto& json, const auto& visit) {
  for (const EntryKind kind : entry_kinds)
    if (json.contains(entry_list(kind))) visit(kind, json[entry_list(kind)], std::string("/") + entry_list(kind));
}

void check_lists(const Json& json) {
  std::set<std::string> ids;
  for_each_list(json, [&](EntryKind kind, const Json& list, const std::string& place) {
    if (!list.is_array()) throw InputError(place, fmt::format("must be an array of {}", entry_list(kind)));
    for (std::size_t i = 0; i < list.size(); ++i) {
      const std::string where = fmt::format("{}/{}", place, i);
      check_entry(kind, list[i], where);
      const std::string id = list[i]["id"];
      if (!ids.insert(id).second) throw InputError(where + "/id", "'" + id + "' is the id of an earlier entry");
    }
  });
  // Numbers may be those of later entries.
  for_each_list(json, [&](EntryKind, const Json& list, const std::string& place) {
    for (std::size_t i = 0; i < list.size(); ++i)
      check_told_numbers(list[i], "reason", json, fmt::format("{}/{}", place, i));
  });
}

// With the id: pointers into long lists are hard to count. A check is elsewhere: its source says where.
void check_locations(const Json& paper) {
  for_each_list(paper, [&](EntryKind kind, const Json& list, const std::string& place) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      const std::string id = list[i]["id"];
      check_location(list[i]["location"], paper["contents"], kind != EntryKind::check,
                     fmt::format("{}/{}/location ({})", place, i, id));
    }
  });
}

// A location in a config is free text. One that cites a paper names a place of it: "Ren, Zhou 2020, Section 6". Several
// sources are separated by "; ".
void check_cited_locations(const Json& entries) {
  for_each_list(entries, [&](EntryKind, const Json& list, const std::string& place) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      const std::string location = list[i]["location"];
      for (std::size_t begin = 0; begin < location.size();) {
        const std::size_t end = std::min(location.find("; ", begin), location.size());
        const std::string source = location.substr(begin, end - begin);
        for (const auto& [citation, contents] : contents_by_citation())
          if (source == citation || source.starts_with(citation + ", "))
            check_location(source.substr(std::min(source.size(), citation.size() + 2)), contents, true,
                           fmt::format("{}/{}/location", place, i));
        begin = end + 2;
      }
    }
  });
}

void require_one_run(const Json& selectors, const std::vector<Json>& runs, const std::string& where) {
  const auto selected = [&](const Json& spec) { return selects(selectors, spec); };
  const auto count = std::count_if(runs.begin(), runs.end(), selected);
  if (count != 1)
    throw InputError(where, fmt::format("{} of the {} runs have {}; exactly one must", count, runs.size(),
                                        selector_text(selectors)));
}

}  // namespace

void require_known_keys(const Json& json, const std::vector<std::string>& known, const std::string& where) {
  if (!json.is_object()) throw InputError(where, "must be an object, not " + json.dump());
  for (const auto& [key, value] : json.items()) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    throw InputError(where + "/" + key,
                     fmt::format("unknown key{} (known: {})", did_you_mean(key, known), fmt::join(known, ", ")));
  }
}

void require_text(const Json& json, const std::string& key, const std::string& where) {
  if (!json.contains(key) || !json[key].is_string() || json[key].get<std::string>().empty())
    throw InputError(where, fmt::format("needs \"{}\", a text", key));
}

Rule rule_of(const Json& entry) { return *rule_named(entry.value("kind", "number")); }

std::string quoted_number(EntryKind kind, const Json& entry) {
  return entry[kind == EntryKind::finding ? "recorded" : "printed"];
}

void check_entries(const Json& paper) {
  std::vector<std::string> known{"paper",   "title",   "cited_as", "reference", "contents", "authors",
                                 "licence", "configs", "python",   "audits",    "passages"};
  for (const EntryKind kind : entry_kinds) known.emplace_back(entry_list(kind));
  require_known_keys(paper, known, "");
  for (const char* key : {"paper", "title", "reference"}) require_text(paper, key, "");
  if (paper.contains("cited_as")) require_text(paper, "cited_as", "");
  check_contents(require_member(JsonKind::object, paper, "contents", ""), "/contents");
  if (!paper.contains(entry_list(EntryKind::claim))) throw InputError("", "needs \"claims\", an array");
  check_lists(paper);
  check_locations(paper);
  if (paper.contains("passages")) check_passages(paper["passages"], paper, "/passages");
}

Json entries_of_config(const Json& config, const std::string& set, const std::vector<Json>& runs) {
  Json entries = Json::object();
  for_each_list(config,
                [&](EntryKind kind, const Json& list, const std::string&) { entries[entry_list(kind)] = list; });
  if (config.contains("passages")) entries["passages"] = config["passages"];
  const auto each_value = [&entries](const auto& visit) {
    for_each_list(entries, [&](EntryKind, Json& list, const std::string& place) {
      if (!list.is_array()) return;
      for (std::size_t i = 0; i < list.size(); ++i) for_each_value(list[i], fmt::format("{}/{}", place, i), visit);
    });
    if (entries.contains("passages") && entries["passages"].is_array())
      for (Json& passage : entries["passages"]) for_each_value(passage, "/passages", visit);
  };
  each_value([&](Json& value, const std::string& where) {
    if (is_of_file(value)) throw InputError(where + "/file", "stands in the file of a paper alone");
    const bool elsewhere =
        !value.is_object() || value.contains("set") || value.contains("of") || value.contains("with");
    if (!elsewhere) value["set"] = set;
  });
  check_lists(entries);
  check_cited_locations(entries);
  if (entries.contains("passages")) check_passages(entries["passages"], entries, "/passages");
  each_value([&](const Json& value, const std::string& where) {
    if (value.value("set", "") == set && value.contains("run")) require_one_run(value["run"], runs, where + "/run");
  });
  return entries;
}

Json entries_schema(EntryKind kind) {
  Json properties = Json::object();
  for (const std::string& key : entry_keys(kind)) properties[key] = Json::object();
  const std::vector<std::string> required = required_texts(kind), allowed = allowed_texts(kind);
  for (const auto* keys : {&required, &allowed})
    for (const std::string& key : *keys) properties[key] = {{"type", "string"}};
  properties["kind"] = {{"$ref", "#/definitions/rule"}};
  for (const char* key : {"value", "true_value"}) properties[key] = {{"type", "object"}};
  properties["values"] = {{"type", "array"}, {"items", {{"type", "object"}}}, {"minItems", 2}};
  properties["numbers"] = {{"type", "array"}, {"items", {{"type", "object"}}}};
  properties["given"] = {{"type", "array"}, {"items", {{"type", "string"}}}};
  return {{"description", fmt::format("{} judged by the results, in the format of packs (docs/packs.md); a value "
                                      "without \"set\" is of this config",
                                      entry_list(kind))},
          {"type", "array"},
          {"items",
           {{"type", "object"}, {"required", required}, {"properties", properties}, {"additionalProperties", false}}}};
}

}  // namespace daelab
