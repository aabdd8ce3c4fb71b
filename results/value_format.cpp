#include "results/value_format.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "core/base/exact.hpp"
#include "core/base/folder_name.hpp"
#include "core/base/message.hpp"
#include "core/expressions/parse.hpp"
#include "results/claim_format.hpp"
#include "results/stored_files.hpp"

namespace daelab {
namespace {

void check_selectors(const Json& selectors, const std::string& where) {
  if (!selectors.is_object()) throw InputError(where, "must be an object of selectors such as {\"/h\": \"0.01\"}");
  for (const auto& [pointer, value] : selectors.items()) check_pointer(pointer, where);
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

void check_take(const Json& value, const std::string& where) {
  if (!value.contains("take")) return;
  require_text(value, "take", where);
  const std::vector<std::string> known = names_of(Take{});
  if (const std::string name = value["take"]; std::ranges::find(known, name) == known.end())
    throw InputError(where + "/take", fmt::format("there is no '{}'{} (known: {})", without_middle(name),
                                                  did_you_mean(name, known), fmt::join(known, ", ")));
}

// What is taken of a run: of its record by "pointer", or of a column of its trajectory.
void check_place(const Json& value, const std::string& where) {
  const bool is_column = value.contains("column");
  if (is_column && !value.contains("run"))
    throw InputError(where + "/column", "is of the trajectory of a run: it needs \"run\"");
  if (value.contains("take") && (!is_column || value.contains("pointer")))
    throw InputError(where + "/take", "is of a \"column\" as a whole, without \"pointer\"");
  if (is_column) require_text(value, "column", where);
  if (!is_column && value.contains("result") == value.contains("pointer"))
    throw InputError(where, "needs \"pointer\" with \"run\" or \"series\", and only then");
  check_take(value, where);
}

void check_stored(const Json& value, const std::string& where) {
  require_known_keys(value, {"set", "run", "series", "pointer", "result", "column", "take", "over"}, where);
  require_text(value, "set", where);
  require_folder_name(value["set"], where + "/set");
  if (value.contains("run") + value.contains("series") + value.contains("result") != 1)
    throw InputError(where, "needs exactly one of \"run\", \"series\" and \"result\"");
  check_place(value, where);
  for (const char* key : {"run", "series"})
    if (value.contains(key)) check_selectors(value[key], where + "/" + key);
  for (const char* key : {"pointer", "result"})
    if (value.contains(key)) check_pointer(value[key], where + "/" + key);
}

void check_expression(const Json& value, const std::string& where) {
  require_known_keys(value, {"expression", "each", "take", "with", "over"}, where);
  const char* const key = value.contains("each") ? "each" : "expression";
  if (value.contains("each") && value.contains("expression"))
    throw InputError(where, "needs \"expression\", or \"each\" for the entries of lists one by one, not both");
  require_text(value, key, where);
  if (value.contains("take") && !value.contains("each"))
    throw InputError(where + "/take", "is of a list, and an \"expression\" is a number: \"each\" makes a list");
  check_take(value, where);
  if (!value.contains("with") || !value["with"].is_object() || value["with"].empty())
    throw InputError(where + "/with", "must be the values of the names in the expression: {\"x\": <value>}");
  const std::vector<std::string> names = names_in(value[key]);
  for (const auto& [name, of] : value["with"].items()) {
    const std::string place = where + "/with/" + name;
    if (const std::string refusal = name_refusal(name); !refusal.empty()) throw InputError(place, refusal);
    if (std::ranges::find(names, name) == names.end()) throw InputError(place, "is not in the expression");
    check_value(of, place);
  }
}

}  // namespace

const std::vector<std::string>& value_keys() {
  static const std::vector<std::string> keys = {"set",    "run",  "series",     "pointer", "result",
                                                "column", "take", "expression", "each",    "with"};
  return keys;
}

std::vector<std::string> names_of(Take) {
  return {"first", "last", "least", "largest", "least-change", "largest-change"};
}

void check_pointer(const Json& text, const std::string& where) {
  try {
    Json::json_pointer(text.get<std::string>());
  } catch (const Json::exception&) {
    throw InputError(where, "must be a JSON pointer such as /max/energy_error, not " + text.dump());
  }
}

void check_value(const Json& value, const std::string& where) {
  const bool is_made =
      value.is_object() && (value.contains("expression") || value.contains("each") || value.contains("with"));
  if (is_made)
    check_expression(value, where);
  else if (is_of_file(value))
    check_file_value(value, where);
  else
    check_stored(value, where);
  if (value.contains("over")) check_value(value["over"], where + "/over");
}

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

}  // namespace daelab
