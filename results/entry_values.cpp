#include "results/entry_values.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>

#include "core/base/number_text.hpp"
#include "results/claim_format.hpp"
#include "results/run_record.hpp"

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
  const std::string name = reference["set"];
  const std::optional<ResultSet>& set = set_named(name);
  if (!set) return {{}, fmt::format("there are no results of '{}' by this code", name)};
  if (reference.contains("result")) return point(set->analysis, reference["result"], "the analysis of '" + name + "'");

  const bool run = reference.contains("run");
  const Json& selectors = reference[run ? "run" : "series"];
  const std::string what = fmt::format("{} of '{}' with {}", run ? "run" : "series", name, selector_text(selectors));
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
