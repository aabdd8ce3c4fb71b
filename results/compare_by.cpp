#include "results/compare_by.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/base/options.hpp"
#include "results/provenance.hpp"
#include "results/run_record.hpp"
#include "results/store.hpp"

namespace daelab {
namespace {

constexpr int digits = 3;

std::string value_text(const Json& value) {
  if (value.is_object() && value.contains("name")) return spec_text(value);
  return value.is_string() ? value.get<std::string>() : value.dump();
}

const Json& value_of(const Json& run, const std::string& key) {
  static const Json none;
  const Json& spec = run["spec"];
  return spec.contains(key) ? spec[key] : none;
}

std::set<std::string> keys_of(const std::vector<Json>& runs) {
  std::set<std::string> keys;
  for (const Json& run : runs)
    for (const auto& [key, value] : run["spec"].items()) keys.insert(key);
  return keys;
}

// Each value of `key` comes with one value of `other` only.
bool follows(const std::string& other, const std::string& key, const std::vector<Json>& runs) {
  std::map<std::string, std::string> seen;
  return std::ranges::all_of(runs, [&](const Json& run) {
    const std::string value = canonical_text(value_of(run, other));
    return seen.emplace(canonical_text(value_of(run, key)), value).first->second == value;
  });
}

bool varies(const std::string& key, const std::vector<Json>& runs) {
  return std::ranges::any_of(runs, [&](const Json& run) { return value_of(run, key) != value_of(runs.front(), key); });
}

// The number at a place of a record; nothing of a failed run, and nothing that is zero.
double number_at(const Json& run, const Json::json_pointer& place) {
  if (!is_ok(run["status"]) || !run.contains(place)) return 0;
  const std::optional<Real50> x = as_number(run[place]);
  return x ? static_cast<double>(*x) : 0;
}

struct Measure {
  std::string label;
  Json::json_pointer place;
};

std::vector<Measure> measures_of(const std::vector<Json>& runs) {
  std::vector<Measure> measures;
  const auto add = [&](const std::string& label, const char* group, const std::string& key) {
    const Json::json_pointer place = Json::json_pointer(group) / key;
    if (std::ranges::any_of(runs, [&](const Json& run) { return number_at(run, place) != 0; }))
      measures.push_back({label, place});
  };
  for (const char* key : {"q", "v", "a", "lambda", "y"}) add(fmt::format("error of {}", key), "/error", key);
  add("energy error", "/max", "energy_error");
  for (const char* key : {"steps", "residuals", "factorizations"}) add(key, "/stats", key);
  add("CPU time", "/stats", "cpu_seconds");
  return measures;
}

Json ratio(const Json& first, const Json& other, const Measure& measure) {
  const double x = number_at(first, measure.place), y = number_at(other, measure.place);
  return x == 0 || y == 0 ? Json() : Json(y / x);
}

// The mean of a column over the rows with this value.
Json geometric_mean(const std::vector<Json>& rows, std::size_t pair, std::size_t column, const Json& value) {
  double sum = 0;
  int count = 0;
  for (const Json& row : rows)
    if (row[pair] == value && !row[column].is_null()) sum += std::log(row[column].get<double>()), ++count;
  return count == 0 ? Json() : Json(std::exp(sum / count));
}

void add_means(Table& table, std::size_t first_ratio) {
  const std::size_t pair = first_ratio - 1;
  const std::vector<Json> rows = table.rows;
  std::set<std::string> values;
  for (const Json& row : rows)
    if (const std::string value = row[pair]; values.insert(value).second) {
      Json mean = Json::array();
      for (std::size_t c = 0; c < pair; ++c) mean.push_back(c == 0 ? Json("mean") : Json());
      mean.push_back(value);
      for (std::size_t c = first_ratio; c < table.columns.size(); ++c)
        mean.push_back(geometric_mean(rows, pair, c, value));
      table.rows.push_back(std::move(mean));
    }
}

void require_key(const std::string& key, const std::set<std::string>& keys) {
  if (keys.contains(key)) return;
  const std::vector<std::string> known(keys.begin(), keys.end());
  throw InputError(
      "--by", fmt::format("runs have no key '{}'; known: {}{}", key, fmt::join(known, ", "), did_you_mean(key, known)));
}

}  // namespace

Table ratios_by(const std::string& key, const std::vector<Json>& runs) {
  const std::set<std::string> keys = keys_of(runs);
  require_key(key, keys);
  std::vector<std::string> grid, shown;
  for (const std::string& other : keys)
    if (other != key && varies(other, runs) && !follows(other, key, runs)) grid.push_back(other);
  Table table;
  table.id = "ratios";
  for (const std::string& other : grid) table.columns.emplace_back().label = other == "h" ? "h [s]" : other;
  table.columns.emplace_back().label = key;
  const std::size_t first_ratio = table.columns.size();
  const std::vector<Measure> measures = measures_of(runs);
  for (const Measure& measure : measures) table.columns.push_back({measure.label, "", CellFormat::scientific, digits});

  // Values have numbers: names of methods leave no room for ratios.
  std::vector<std::string> values;
  const auto number_of = [&values](const Json& value) {
    const std::string text = value_text(value);
    const auto found = std::ranges::find(values, text);
    const auto number = found - values.begin() + 1;
    if (found == values.end()) values.push_back(text);
    return number;
  };
  std::map<std::string, const Json*> firsts;
  for (const Json& run : runs) {
    Json place = Json::array(), row = Json::array();
    for (const std::string& other : grid)
      place.push_back(value_of(run, other)), row.push_back(value_text(value_of(run, other)));
    const auto [first, is_new] = firsts.emplace(canonical_text(place), &run);
    if (is_new || value_of(run, key) == value_of(*first->second, key)) continue;
    row.push_back(fmt::format("{}/{}", number_of(value_of(run, key)), number_of(value_of(*first->second, key))));
    for (const Measure& measure : measures) row.push_back(ratio(*first->second, run, measure));
    table.rows.push_back(std::move(row));
  }
  if (table.rows.empty())
    throw InputError("--by", fmt::format("no two runs differ in {} alone; keys that differ: {}", key,
                                         grid.empty() ? "none" : fmt::format("{}", fmt::join(grid, ", "))));
  add_means(table, first_ratio);
  table.caption = "Errors and work as ratios, below the geometric means.";
  for (std::size_t i = 0; i < values.size(); ++i)
    table.caption += fmt::format(" {} = {}{}", i + 1, values[i], i + 1 < values.size() ? "," : "");
  return table;
}

}  // namespace daelab
