#include "results/stored_numbers.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "results/claim_format.hpp"
#include "results/entry_values.hpp"
#include "results/run_record.hpp"

namespace daelab {
namespace {

// Members that are settings, theory or names of what is beside them.
bool is_setting(const std::string& key) {
  static const std::set<std::string> settings = {"spec",     "theory", "factors", "units", "expected",
                                                 "checksum", "key",    "label",   "h",     "rtol",
                                                 "atol",     "t_end",  "problem", "method"};
  return settings.contains(key);
}

// Leaves of a specification that a selector may name.
void add_leaves(const Json& json, const Json::json_pointer& at, std::map<std::string, Json>& leaves) {
  if (json.is_object())
    for (const auto& [key, value] : json.items()) add_leaves(value, at / key, leaves);
  else if (!json.is_array())
    leaves[at.to_string()] = json;
}

std::map<std::string, Json> leaves_of(const Json& spec) {
  std::map<std::string, Json> leaves;
  add_leaves(spec, Json::json_pointer(), leaves);
  return leaves;
}

std::string last_part(const std::string& pointer) { return pointer.substr(pointer.rfind('/') + 1); }

}  // namespace

StoredNumbers::StoredNumbers(const std::string& name, const ResultSet& set) : name_(name) {
  for (std::size_t i = 0; i < set.runs.size(); ++i) {
    specs_.push_back(spec_in(set.runs[i]));
    add(set.runs[i], {i, ""});
  }
  add(set.analysis, {std::nullopt, ""});
}

void StoredNumbers::add(const Json& json, const Place& at) {
  if (json.is_object()) {
    for (const auto& [key, value] : json.items())
      if (!is_setting(key)) add(value, {at.run, (Json::json_pointer(at.pointer) / key).to_string()});
  } else if (json.is_array()) {
    for (std::size_t i = 0; i < json.size(); ++i) add(json[i], {at.run, at.pointer + "/" + std::to_string(i)});
  } else if (const std::optional<double> value = as_double(json); value && std::isfinite(*value)) {
    places_[*value].push_back(at);
  }
}

std::vector<StoredNumbers::Place> StoredNumbers::places_of(double value) const {
  const auto found = places_.find(value);
  return found == places_.end() ? std::vector<Place>() : found->second;
}

int StoredNumbers::nearness(const Place& place, const std::vector<Place>& row, const std::string& column) {
  int most = 0;
  for (const Place& other : row) {
    if (place.run != other.run) continue;
    const auto differ = std::ranges::mismatch(place.pointer, other.pointer).in1;
    most = std::max(most, place.run ? 100 : static_cast<int>(differ - place.pointer.begin()));
  }
  const std::string name = last_part(place.pointer);
  return most + (column == name || column.starts_with(name + " ") ? 1000 : 0);
}

std::vector<Json> StoredNumbers::sources(const std::vector<std::optional<double>>& row,
                                         const std::vector<std::string>& columns) const {
  std::vector<std::optional<Place>> chosen(row.size());
  std::vector<Place> sure;
  for (std::size_t i = 0; i < row.size(); ++i)
    if (const std::vector<Place> places = row[i] ? places_of(*row[i]) : std::vector<Place>(); places.size() == 1)
      chosen[i] = places[0], sure.push_back(places[0]);
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (chosen[i] || !row[i]) continue;
    const std::vector<Place> places = places_of(*row[i]);
    const auto best =
        std::ranges::max_element(places, {}, [&](const Place& place) { return nearness(place, sure, columns[i]); });
    if (best == places.end()) continue;
    chosen[i] = *best, sure.push_back(*best);
  }
  std::vector<Json> sources;
  for (const std::optional<Place>& place : chosen) sources.push_back(place ? reference_to(*place) : Json());
  return sources;
}

Json StoredNumbers::reference_to(const Place& place) const {
  if (!place.run) return {{"set", name_}, {"result", place.pointer}};
  const Json selectors = selectors_of(*place.run);
  if (selectors.is_null()) return {};
  return {{"set", name_}, {"run", selectors}, {"pointer", place.pointer}};
}

// As few settings as tell the run from all others; null where none do.
Json StoredNumbers::selectors_of(std::size_t run) const {
  std::vector<const Json*> others;
  for (std::size_t i = 0; i < specs_.size(); ++i)
    if (i != run) others.push_back(&specs_[i]);
  Json selectors = Json::object();
  const std::map<std::string, Json> leaves = leaves_of(specs_[run]);
  while (!others.empty()) {
    std::string best;
    std::size_t fewest = others.size();
    for (const auto& [pointer, value] : leaves) {
      const Json selector = {{pointer, value}};
      const auto left = static_cast<std::size_t>(
          std::ranges::count_if(others, [&](const Json* other) { return selects(selector, *other); }));
      if (left < fewest) best = pointer, fewest = left;
    }
    if (best.empty()) return {};
    selectors[best] = leaves.at(best);
    std::erase_if(others, [&](const Json* other) { return !selects(selectors, *other); });
  }
  return selectors;
}

}  // namespace daelab
