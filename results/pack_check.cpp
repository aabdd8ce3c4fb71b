#include "results/pack_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include "core/base/input_error.hpp"
#include "results/claim_format.hpp"
#include "results/entry_values.hpp"
#include "results/printed_number.hpp"
#include "results/round_off.hpp"

namespace daelab {
namespace {

std::string place_of(EntryKind kind, const Json& entry) {
  return fmt::format("{} {}", entry_name(kind), entry["id"].get<std::string>());
}

void for_each_entry(const Json& entries, const auto& visit) {
  for (const EntryKind kind : entry_kinds)
    if (entries.contains(entry_list(kind)))
      for (const Json& entry : entries[entry_list(kind)]) visit(kind, entry);
}

// Every <value> of an entry, with what it is divided by.
std::vector<Json> values_of(const Json& entry) {
  std::vector<Json> values;
  const auto add = [&](Json value) {
    values.push_back(value);
    while (value.contains("over")) {
      value = Json(value["over"]);
      values.push_back(value);
    }
  };
  for (const char* key : {"value", "true_value"})
    if (entry.contains(key)) add(entry[key]);
  if (entry.contains("values"))
    for (const Json& value : entry["values"]) add(value);
  return values;
}

// Round-off of each set, found once.
class RoundOffs {
 public:
  explicit RoundOffs(const ResultLookup& results) : results_(results) {}

  const ResultRoundOff* of(const std::string& set) {
    const auto [place, is_new] = sets_.try_emplace(set);
    if (is_new)
      if (std::optional<ResultSet> results = results_(set)) {
        place->second.results = std::make_unique<ResultSet>(std::move(*results));
        place->second.round_off = std::make_unique<ResultRoundOff>(*place->second.results);
      }
    return place->second.round_off.get();
  }

 private:
  struct Set {
    std::unique_ptr<ResultSet> results;
    std::unique_ptr<ResultRoundOff> round_off;
  };
  const ResultLookup& results_;
  std::map<std::string, Set> sets_;
};

// "": not more than there are.
std::string surplus_digits(EntryKind kind, const Json& entry, double value, RoundOffs& round_offs) {
  if (rule_of(entry) != Rule::number || entry["value"].contains("over")) return "";
  const ResultRoundOff* const round_off = round_offs.of(entry["value"]["set"]);
  const int digits = significant_digits(quoted_number(kind, entry));
  const bool is_count = std::abs(value) < 1e15 && value == std::round(value);
  if (round_off == nullptr || is_count) return "";
  const int known = round_off->digits(value, entry["value"]);
  if (digits <= known) return "";
  if (known == 0) return "the number is round-off: the kind \"magnitude\" judges its order of magnitude alone";
  return fmt::format("printed with {} digits, of which round-off leaves {}: {}", digits, known,
                     scientific(value, known));
}

}  // namespace

std::vector<PackRemark> remarks_on_file(const Pack& pack, const std::vector<std::string>& sets) {
  std::vector<PackRemark> remarks;
  const std::string file = std::string(pack_file_name) + ": ";
  for (const auto& [key, words] : {std::pair("authors", R"(who made the pack: [{"name": "Ada Example"}])"),
                                   std::pair("licence", "of the pack, as SPDX names it: \"CC-BY-4.0\"")})
    if (!pack.entries.contains(key) || pack.entries[key].empty())
      remarks.push_back({file + "/" + key, std::string("is missing, ") + words});
  std::size_t count = 0;
  for_each_entry(pack.entries, [&](EntryKind kind, const Json& entry) {
    ++count;
    for (const Json& value : values_of(entry))
      if (const std::string set = value["set"]; std::ranges::find(sets, set) == sets.end())
        remarks.push_back({place_of(kind, entry), fmt::format("no config of the pack makes the result set '{}'{}", set,
                                                              did_you_mean(set, sets))});
  });
  if (count == 0) remarks.push_back({file + "/claims", "is empty: nothing is claimed"});
  return remarks;
}

std::vector<PackRemark> remarks_on_values(const Json& entries, const ResultLookup& results) {
  std::vector<PackRemark> remarks;
  ValueReader reader(results);
  RoundOffs round_offs(results);
  std::map<std::string, Judgement> judgements;
  for (Judgement& judgement : judge_entries(entries, results)) judgements[judgement.id] = std::move(judgement);
  for_each_entry(entries, [&](EntryKind kind, const Json& entry) {
    const std::string place = place_of(kind, entry), id = entry["id"];
    for (const Json& value : values_of(entry))
      if (const Found found = reader.read(value, id, true); found.value.is_null())
        remarks.push_back({place, "not found in the results: " + found.problem});
    const Judgement& judgement = judgements.at(id);
    if (!judgement.as_expected())
      remarks.push_back({place, fmt::format("the verdict is '{}', not '{}': ours is {}", judgement.verdict,
                                            judgement.expected, judgement.ours)});
    if (judgement.number)
      if (const std::string surplus = surplus_digits(kind, entry, *judgement.number, round_offs); !surplus.empty())
        remarks.push_back({place, surplus});
  });
  return remarks;
}

}  // namespace daelab
