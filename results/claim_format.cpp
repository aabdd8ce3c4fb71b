#include "results/claim_format.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <regex>
#include <set>

#include "core/base/exact.hpp"
#include "core/base/folder_name.hpp"
#include "core/base/message.hpp"
#include "core/base/paths.hpp"
#include "results/claims.hpp"

namespace daelab {
namespace {

const std::vector<std::string> kinds = {"number",  "magnitude", "time",   "order", "at-least",
                                        "at-most", "less",      "status", "holds"};
const std::vector<std::string> required_texts = {"id", "location", "printed", "expected"};
const std::vector<std::string> optional_texts = {"table", "row", "column", "kind", "reason"};

std::vector<std::string> claim_keys() {
  std::vector<std::string> keys = required_texts;
  keys.insert(keys.end(), optional_texts.begin(), optional_texts.end());
  keys.insert(keys.end(), {"claimed", "value", "values", "true_value"});
  return keys;
}

void require_known_keys(const Json& json, const std::vector<std::string>& known, const std::string& where) {
  if (!json.is_object()) throw InputError(where, "must be an object, not " + json.dump());
  for (const auto& [key, value] : json.items()) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    throw InputError(where + "/" + key,
                     fmt::format("unknown key; known: {}{}", fmt::join(known, ", "), did_you_mean(key, known)));
  }
}

void require_text(const Json& json, const std::string& key, const std::string& where) {
  if (!json.contains(key) || !json[key].is_string() || json[key].get<std::string>().empty())
    throw InputError(where, fmt::format("needs \"{}\", a text", key));
}

void check_pointer(const Json& text, const std::string& where) {
  try {
    Json::json_pointer(text.get<std::string>());
  } catch (const Json::exception&) {
    throw InputError(where, "must be a JSON pointer such as /max/energy_error, not " + text.dump());
  }
}

void check_selectors(const Json& selectors, const std::string& where) {
  if (!selectors.is_object()) throw InputError(where, "must be an object of selectors such as {\"/h\": \"0.01\"}");
  for (const auto& [pointer, value] : selectors.items()) check_pointer(pointer, where);
}

void check_value(const Json& value, const std::string& where) {
  require_known_keys(value, {"set", "run", "series", "pointer", "result"}, where);
  require_text(value, "set", where);
  require_folder_name(value["set"], where + "/set");
  if (value.contains("run") + value.contains("series") + value.contains("result") != 1)
    throw InputError(where, "needs exactly one of \"run\", \"series\" and \"result\"");
  if (value.contains("result") == value.contains("pointer"))
    throw InputError(where, "needs \"pointer\" with \"run\" or \"series\", and only then");
  for (const char* key : {"run", "series"})
    if (value.contains(key)) check_selectors(value[key], where + "/" + key);
  for (const char* key : {"pointer", "result"})
    if (value.contains(key)) check_pointer(value[key], where + "/" + key);
}

void check_printed_number(const Json& claim, const std::string& where) {
  static const std::regex number(R"([-+]?\d+(\.\d+)?([eE][-+]?\d+)?)");
  const std::string printed = claim["printed"];
  constexpr std::size_t longest = 100;  // std::regex goes down one level by a character
  if (printed.size() > longest || !std::regex_match(printed, number))
    throw InputError(where + "/printed", "must be a number such as 7.0007E-5, not " + without_middle(printed));
}

void check_values_to_compare(const Json& claim, const std::string& where) {
  if (!claim.contains("values") || !claim["values"].is_array() || claim["values"].size() < 2)
    throw InputError(where, "needs \"values\", two or more, in the claimed order");
  for (std::size_t i = 0; i < claim["values"].size(); ++i)
    check_value(claim["values"][i], fmt::format("{}/values/{}", where, i));
}

void check_claimed(const Json& claim, const std::string& kind, const std::string& where) {
  const Json claimed = claim.value("claimed", Json());
  if (kind == "status")
    require_text(claim, "claimed", where);
  else if (kind == "holds" && !claimed.is_boolean())
    throw InputError(where, "needs \"claimed\", true or false");
  else if (kind != "holds" && !claimed.is_number())
    throw InputError(where, "needs \"claimed\", a number");
}

void check_claim(const Json& claim, const std::string& where) {
  require_known_keys(claim, claim_keys(), where);
  for (const std::string& key : required_texts) require_text(claim, key, where);
  for (const std::string& key : optional_texts)
    if (claim.contains(key)) require_text(claim, key, where);
  const std::string kind = claim_kind(claim);
  if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end())
    throw InputError(where + "/kind", fmt::format("no kind '{}'; known: {}", kind, fmt::join(kinds, ", ")));
  if (is_cell(kind)) check_printed_number(claim, where);
  if (kind == "less" || claim.contains("values")) check_values_to_compare(claim, where);
  for (const char* key : {"value", "true_value"})
    if (claim.contains(key)) check_value(claim[key], where + "/" + key);
  if (kind == "less") return;
  if (!claim.contains("value")) throw InputError(where, "needs \"value\"");
  if (!is_cell(kind)) check_claimed(claim, kind, where);
}

void check_list(const Json& list) {
  if (!list.is_array()) throw InputError("/claims", "must be an array of claims");
  std::set<std::string> ids;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string where = fmt::format("/claims/{}", i);
    check_claim(list[i], where);
    const std::string id = list[i]["id"];
    if (!ids.insert(id).second) throw InputError(where + "/id", "'" + id + "' is the id of an earlier claim");
  }
}

std::optional<Real100> exact_value(const Json& json) {
  if (!json.is_string() && !json.is_number()) return std::nullopt;
  try {
    return exact_from_json(json, "").value();
  } catch (const InputError&) {
    return std::nullopt;  // a name
  }
}

bool same_setting(const Json& a, const Json& b) {
  if (a == b) return true;
  const std::optional<Real100> x = exact_value(a), y = exact_value(b);
  return x && y && *x == *y;
}

// `visit` gets every <value> of a claim with its place.
void for_each_value(Json& claim, const std::string& where, const auto& visit) {
  for (const char* key : {"value", "true_value"})
    if (claim.contains(key)) visit(claim[key], where + "/" + key);
  if (!claim.contains("values") || !claim["values"].is_array()) return;
  for (std::size_t k = 0; k < claim["values"].size(); ++k)
    visit(claim["values"][k], fmt::format("{}/values/{}", where, k));
}

void require_one_run(const Json& selectors, const std::vector<Json>& runs, const std::string& where) {
  const auto selected = [&](const Json& spec) { return selects(selectors, spec); };
  const auto count = std::count_if(runs.begin(), runs.end(), selected);
  if (count != 1)
    throw InputError(where, fmt::format("{} of the {} runs have {}; exactly one must", count, runs.size(),
                                        selector_text(selectors)));
}

}  // namespace

std::string claim_kind(const Json& claim) { return claim.value("kind", "number"); }

bool is_cell(const std::string& kind) { return kind == "number" || kind == "magnitude" || kind == "time"; }

bool selects(const Json& selectors, const Json& spec) {
  try {
    for (const auto& [pointer, wanted] : selectors.items()) {
      const Json::json_pointer at(pointer);
      if (!spec.contains(at) || !same_setting(spec[at], wanted)) return false;
    }
    return true;
  } catch (const Json::exception&) {
    return false;  // an index that no list can have
  }
}

std::string selector_text(const Json& selectors) {
  std::vector<std::string> parts;
  for (const auto& [pointer, wanted] : selectors.items())
    parts.push_back(pointer + "=" + (wanted.is_string() ? wanted.get<std::string>() : wanted.dump()));
  return fmt::format("{}", fmt::join(parts, " "));
}

void check_claims(const Json& claims) {
  require_known_keys(claims, {"paper", "title", "reference", "claims"}, "");
  for (const char* key : {"paper", "title", "reference"}) require_text(claims, key, "");
  if (!claims.contains("claims")) throw InputError("", "needs \"claims\", an array");
  check_list(claims["claims"]);
}

std::string claims_path(const std::string& paper) { return project_path("results/published/" + paper + ".json"); }

Json read_claims(const std::string& paper) {
  Json claims = read_json_file(claims_path(paper));
  try {
    check_claims(claims);
  } catch (const InputError& error) {
    throw InputError(claims_path(paper), error.what());
  }
  return claims;
}

Json claims_of_config(const Json& claims, const std::string& set, const std::vector<Json>& runs) {
  Json list = claims;
  const auto each = [&list](const auto& visit) {
    for (std::size_t i = 0; i < list.size(); ++i) for_each_value(list[i], fmt::format("/claims/{}", i), visit);
  };
  if (list.is_array())
    each([&](Json& value, const std::string&) {
      if (value.is_object() && !value.contains("set")) value["set"] = set;
    });
  check_list(list);
  each([&](const Json& value, const std::string& where) {
    if (value["set"] == set && value.contains("run")) require_one_run(value["run"], runs, where + "/run");
  });
  return list;
}

Json claims_schema() {
  Json properties = Json::object();
  for (const std::string& key : claim_keys()) properties[key] = Json::object();
  for (const auto* keys : {&required_texts, &optional_texts})
    for (const std::string& key : *keys) properties[key] = {{"type", "string"}};
  properties["kind"]["enum"] = kinds;
  for (const char* key : {"value", "true_value"}) properties[key] = {{"type", "object"}};
  properties["values"] = {{"type", "array"}, {"items", {{"type", "object"}}}, {"minItems", 2}};
  return {{"description",
           "statements judged by the results, in the format of results/published/*.json; a value "
           "without \"set\" is of this config"},
          {"type", "array"},
          {"items",
           {{"type", "object"},
            {"required", required_texts},
            {"properties", properties},
            {"additionalProperties", false}}}};
}

}  // namespace daelab
