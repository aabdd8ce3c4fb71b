#include "report/page/curve_names.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <vector>

#include "results/artifacts.hpp"
#include "results/provenance.hpp"

namespace daelab {
namespace {

// Members of a specification that differ along a curve, or say only what is stored of a run.
bool is_along(const std::string& member) {
  static const std::set<std::string> members = {"h",          "rtol",    "atol",    "atol_velocity", "sample_every",
                                                "trajectory", "history", "samples", "step_pattern",  "steps"};
  return members.contains(member);
}

std::string rest_of(const Json& spec) {
  Json rest = Json::object();
  for (const auto& [member, value] : spec.items())
    if (!is_along(member) && !value.is_null()) rest[member] = value;
  return canonical_text(rest);
}

Json name_of(const Json& entry) {
  Json factors = Json::array();
  std::string label;
  for (const Json& factor : entry.value("factors", Json::array())) {
    const auto read = factor.get<Factor>();
    if (is_along(read.name)) continue;
    factors.push_back(factor);
    label += (label.empty() ? "" : ", ") + read.value;
  }
  if (label.empty()) label = entry["label"].get<std::string>();
  return {{"label", label}, {"factors", factors}};
}

}  // namespace

CurveNames::CurveNames(const Json& analysis) {
  if (!analysis.is_object()) return;
  for (const char* list : {"series", "trajectories"})
    for (const Json& entry : analysis.value(list, Json::array())) add(entry);
}

void CurveNames::add(const Json& entry) {
  if (!entry.is_object() || !entry.value("label", Json()).is_string()) return;
  if (const Json spec = entry.value("spec", Json()); spec.is_object())
    by_spec_.try_emplace(rest_of(spec), name_of(entry));
  if (const Json file = entry.value("file", Json()); file.is_string())
    by_key_.try_emplace(std::filesystem::path(file.get<std::string>()).stem().string(), name_of(entry));
}

Json CurveNames::of(const std::string& key, const Json& spec) const {
  if (spec.is_object())
    if (const auto found = by_spec_.find(rest_of(spec)); found != by_spec_.end()) return found->second;
  const auto found = by_key_.find(key);
  return found == by_key_.end() ? Json() : found->second;
}

}  // namespace daelab
