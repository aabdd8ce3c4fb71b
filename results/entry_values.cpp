#include "results/entry_values.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

#include "core/base/number_text.hpp"
#include "core/expressions/parse.hpp"
#include "results/claim_format.hpp"
#include "results/csv.hpp"
#include "results/expression_value.hpp"
#include "results/record_values.hpp"
#include "results/run_record.hpp"
#include "results/stored_files.hpp"
#include "results/trajectory_store.hpp"

namespace daelab {
namespace {

// The pointers at which two specifications differ.
std::string differing_settings(const Json& a, const Json& b) {
  std::vector<std::string> pointers;
  for (const Json& change : Json::diff(a, b)) pointers.push_back(change["path"]);
  return fmt::format("{}", fmt::join(pointers, ", "));
}

Found point(const Json& json, const std::string& pointer, const std::string& what) {
  const Json value = at_pointer(json, pointer);
  if (value.is_null()) return {{}, fmt::format("{} has no {}", what, pointer)};
  return {value, ""};
}

std::optional<std::vector<double>> as_doubles(const Json& json) {
  if (!json.is_array() || json.empty()) return std::nullopt;
  std::vector<double> list;
  for (const Json& entry : json) {
    const std::optional<double> x = as_double(entry);
    if (!x) return std::nullopt;
    list.push_back(*x);
  }
  return list;
}

double taken(Take take, const std::vector<double>& x) {
  std::vector<double> changes(x.size());
  std::adjacent_difference(x.begin(), x.end(), changes.begin());
  if (take == Take::first) return x.front();
  if (take == Take::last) return x.back();
  const bool is_of_changes = take == Take::least_change || take == Take::largest_change;
  const auto [least, largest] =
      is_of_changes ? std::minmax_element(changes.begin() + 1, changes.end()) : std::minmax_element(x.begin(), x.end());
  return take == Take::least || take == Take::least_change ? *least : *largest;
}

// What a value says of a column of this trajectory.
Found in_column(const Json& reference, const std::string& path, const std::string& what) {
  const std::optional<std::string> text = read_trajectory(path);
  if (!text) return {{}, fmt::format("the {} has no trajectory", what)};
  const std::string name = reference["column"];
  const std::vector<double> column = csv_columns(*text, {name}, path)[0];
  if (column.size() < 2 || std::ranges::any_of(column, [](double x) { return !std::isfinite(x); }))
    return {{}, fmt::format("{} of the {} is no column of two numbers or more", name, what)};
  if (reference.contains("take")) return {taken(enumerator<Take>(reference["take"]), column), ""};
  return reference.contains("pointer") ? point(column, reference["pointer"], name + " of the " + what)
                                       : Found{column, ""};
}

// What a value makes of these by its expression.
Found evaluated(const Json& reference, const NamedValues& values, const std::string& id) try {
  if (!reference.contains("each")) return {expression_value(reference["expression"], values), ""};
  if (const std::string reason = refusal_of_each(values); !reason.empty()) return {{}, reason};
  const std::vector<double> list = expression_values(reference["each"], values);
  return reference.contains("take") ? Found{taken(enumerator<Take>(reference["take"]), list), ""} : Found{list, ""};
} catch (const NoValue& none) {
  return {{}, none.what()};
} catch (const InputError& error) {
  throw error.in(id);
}

Found selected(const auto& items, const Json& selectors, const std::string& pointer, const std::string& what,
               const std::string& id, bool failed_too) {
  const Json* match = nullptr;
  for (const Json& item : items) {
    if (!selects(selectors, spec_in(item))) continue;
    if (match)
      throw InputError(id, fmt::format("there is more than one {}; they differ in {}", what,
                                       differing_settings(spec_in(*match), spec_in(item))));
    match = &item;
  }
  if (!match) return {{}, fmt::format("there is no {}", what)};
  if (const RunEnd end = end_of(*match); !end.ok() && !failed_too)
    return {{}, fmt::format("the run failed: {}{}", to_string(end.status), end.cause.empty() ? "" : ", " + end.cause)};
  return point(*match, pointer, "the " + what);
}

}  // namespace

Json at_pointer(const Json& json, const std::string& pointer) {
  try {
    const Json::json_pointer at(pointer);
    return json.contains(at) ? json[at] : Json();
  } catch (const Json::exception&) {
    return {};  // an index that no list can have
  }
}

std::optional<double> as_double(const Json& json) {
  if (json.is_number()) return json.get<double>();
  if (!json.is_string()) return std::nullopt;
  return number_in(json.get<std::string>());
}

Found ValueReader::read(const Json& reference, const std::string& id, bool failed_too) {
  const Found found = read_one(reference, id, failed_too);
  if (!reference.contains("over") || found.value.is_null()) return found;
  const Found divisor = read(reference["over"], id, failed_too);
  if (divisor.value.is_null()) return divisor;
  const std::optional<double> a = as_double(found.value), b = as_double(divisor.value);
  if (!a || !b || *b == 0)
    return {{}, fmt::format("{} over {} is no number", found.value.dump(), divisor.value.dump())};
  return {*a / *b, ""};
}

Found ValueReader::read_one(const Json& reference, const std::string& id, bool failed_too) {
  if (reference.contains("with")) return read_expression(reference, id, failed_too);
  return is_of_file(reference) ? Found{stored_list(reference), ""} : read_stored(reference, id, failed_too);
}

Found ValueReader::read_expression(const Json& reference, const std::string& id, bool failed_too) {
  NamedValues values;
  for (const auto& [name, value] : reference["with"].items()) {
    const Found found = read(value, id, failed_too);
    if (!found.problem.empty()) return {{}, name + ": " + found.problem};
    if (const std::optional<double> x = as_double(found.value))
      values.numbers[name] = *x;
    else if (const std::optional<std::vector<double>> list = as_doubles(found.value))
      values.lists[name] = *list;
    else
      return {{}, name + " is neither a number nor a list of numbers"};
  }
  return evaluated(reference, values, id);
}

Found ValueReader::read_stored(const Json& reference, const std::string& id, bool failed_too) {
  const std::string name = reference["set"];
  const std::optional<ResultSet>& set = set_named(name);
  if (!set) return {{}, fmt::format("there are no results of '{}' by this code", name)};
  if (reference.contains("result")) return point(set->analysis, reference["result"], "the analysis of '" + name + "'");

  const bool run = reference.contains("run");
  const Json& selectors = reference[run ? "run" : "series"];
  const std::string what = fmt::format("{} of '{}' with {}", run ? "run" : "series", name, selector_text(selectors));
  if (reference.contains("column")) {
    const Found key = selected(set->runs, selectors, "/key", what, id, failed_too);
    return key.value.is_null() ? key : in_column(reference, trajectory_path(set->folder, key.value), what);
  }
  if (run) return selected(set->runs, selectors, reference["pointer"], what, id, failed_too);
  static const Json none = Json::array();
  const bool has_series = set->analysis.is_object() && set->analysis.contains("series");
  const Json& series = has_series ? set->analysis["series"] : none;
  return selected(series, selectors, reference["pointer"], what, id, failed_too);
}

const std::optional<ResultSet>& ValueReader::set_named(const std::string& name) {
  const auto known = sets_.find(name);
  return known != sets_.end() ? known->second : sets_.emplace(name, lookup_(name)).first->second;
}

}  // namespace daelab
