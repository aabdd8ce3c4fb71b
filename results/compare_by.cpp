#include "results/compare_by.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "core/base/exact.hpp"
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

// By which a value is known among these: of components of one name the options in which they differ.
std::string short_text(const Json& value, const std::vector<Json>& values) {
  if (!value.is_object() || !value.contains("name")) return value_text(value);
  Json kept = short_spec(value);
  for (const auto& [option, x] : value.items()) {
    const auto differs = [&option = option, &x = x, &value](const Json& other) {
      return other.is_object() && other.value("name", Json()) == value["name"] && other.value(option, Json()) != x;
    };
    if (option != "name" && std::ranges::none_of(values, differs)) kept.erase(option);
  }
  return spec_text(kept);
}

struct ComparedRun {
  Json spec;
  std::optional<RunRecord> record;  // none: of another kind, which has no such errors
};

const Json& value_of(const ComparedRun& run, const std::string& key) {
  static const Json none;
  const Json* value = run.spec.find(key);
  return value ? *value : none;
}

std::set<std::string> keys_of(const std::vector<ComparedRun>& runs) {
  std::set<std::string> keys;
  for (const ComparedRun& run : runs)
    for (const auto& [key, value] : run.spec.items()) keys.insert(key);
  return keys;
}

// Each value of `key` comes with one value of `other` only.
bool follows(const std::string& other, const std::string& key, const std::vector<ComparedRun>& runs) {
  std::map<std::string, std::string> seen;
  return std::ranges::all_of(runs, [&](const ComparedRun& run) {
    const std::string value = canonical_text(value_of(run, other));
    return seen.emplace(canonical_text(value_of(run, key)), value).first->second == value;
  });
}

bool varies(const std::string& key, const std::vector<ComparedRun>& runs) {
  return std::ranges::any_of(runs,
                             [&](const ComparedRun& run) { return value_of(run, key) != value_of(runs.front(), key); });
}

// Numbers as numbers, the larger first, as steps and tolerances are refined; before all texts, which have their order.
bool comes_before(const Json& a, const Json& b) {
  const auto number = [](const Json& x) -> std::optional<Real100> {
    try {
      if (x.is_number() || x.is_string()) return exact_from_json(x, "").value();
    } catch (const InputError&) {
    }
    return {};
  };
  const std::optional<Real100> x = number(a), y = number(b);
  if (x && y) return *x > *y;
  if (x || y) return x.has_value();
  return value_text(a) < value_text(b);
}

// By the places of the grid, which rows are in the order of.
void sort_by(const std::vector<std::string>& grid, std::vector<ComparedRun>& runs) {
  std::ranges::stable_sort(runs, [&](const ComparedRun& one, const ComparedRun& other) {
    for (const std::string& key : grid) {
      const Json &a = value_of(one, key), &b = value_of(other, key);
      if (a != b && comes_before(a, b) != comes_before(b, a)) return comes_before(a, b);
    }
    return false;
  });
}

struct Measure {
  std::string label;
  std::function<double(const RunRecord&)> in;

  /// 0 for a failed run, and for one that has no such number.
  double of(const ComparedRun& run) const {
    const double x = run.record && run.record->ok() ? in(*run.record) : 0;
    return std::isfinite(x) ? x : 0;
  }
};

// The numbers that a run of these has.
std::vector<Measure> measures_of(const std::vector<ComparedRun>& runs) {
  std::vector<Measure> measures;
  const auto add = [&](Measure measure) {
    if (std::ranges::any_of(runs, [&](const ComparedRun& run) { return measure.of(run) != 0; }))
      measures.push_back(std::move(measure));
  };
  for (const char* kind : {"q", "v", "a", "lambda", "y"})
    add({fmt::format("error of {}", kind), [kind](const RunRecord& record) {
           if (!record.error) return 0.0;
           const auto error = record.error->of.find(kind);
           return error == record.error->of.end() ? 0.0 : error->second;
         }});
  add({"energy error",
       [](const RunRecord& record) { return static_cast<double>(record.max.energy_error.value_or(0)); }});
  add({"steps", [](const RunRecord& record) { return static_cast<double>(record.stats.steps); }});
  add({"residuals", [](const RunRecord& record) { return static_cast<double>(record.stats.residuals); }});
  add({"factorizations", [](const RunRecord& record) { return static_cast<double>(record.stats.factorizations); }});
  add({"CPU time", [](const RunRecord& record) { return record.stats.cpu_seconds; }});
  return measures;
}

TableCell ratio(const ComparedRun& first, const ComparedRun& other, const Measure& measure) {
  const double x = measure.of(first), y = measure.of(other);
  return x == 0 || y == 0 ? TableCell() : TableCell(y / x);
}

// The mean of a column over the rows with this value.
TableCell geometric_mean(const std::vector<TableRow>& rows, std::size_t pair, std::size_t column,
                         const std::string& value) {
  double sum = 0;
  int count = 0;
  for (const TableRow& row : rows)
    if (row[pair] == value && row[column].real()) sum += std::log(*row[column].real()), ++count;
  return count == 0 ? TableCell() : TableCell(std::exp(sum / count));
}

void add_means(Table& table, std::size_t first_ratio) {
  const std::size_t pair = first_ratio - 1;
  const std::vector<TableRow> rows = table.rows;
  std::set<std::string> values;
  for (const TableRow& row : rows)
    if (const std::string& value = *row[pair].text(); values.insert(value).second) {
      TableRow mean(pair);
      if (pair > 0) mean[0] = "mean";
      mean.push_back(value);
      for (std::size_t c = first_ratio; c < table.columns.size(); ++c)
        mean.push_back(geometric_mean(rows, pair, c, value));
      table.rows.push_back(std::move(mean));
    }
}

void require_key(const std::string& key, const std::set<std::string>& keys) {
  if (keys.contains(key)) return;
  const std::vector<std::string> known(keys.begin(), keys.end());
  throw InputError("--by", fmt::format("runs have no key '{}'{} (known: {})", key, did_you_mean(key, known),
                                       fmt::join(known, ", ")));
}

}  // namespace

Table ratios_by(const std::string& key, const std::vector<Json>& records) {
  std::vector<ComparedRun> runs;
  for (const Json& record : records) runs.push_back({spec_in(record), integration_record(record)});
  const std::set<std::string> keys = keys_of(runs);
  require_key(key, keys);
  std::vector<std::string> grid, shown;
  for (const std::string& other : keys)
    if (other != key && varies(other, runs) && !follows(other, key, runs)) grid.push_back(other);
  sort_by(grid, runs);
  Table table;
  table.id = "ratios";
  for (const std::string& other : grid) table.columns.emplace_back().label = other == "h" ? "h [s]" : other;
  table.columns.emplace_back().label = key;
  const std::size_t first_ratio = table.columns.size();
  const std::vector<Measure> measures = measures_of(runs);
  for (const Measure& measure : measures) table.columns.push_back({measure.label, "", CellFormat::scientific, digits});

  // Values have numbers: names of methods leave no room for ratios.
  std::vector<Json> values;
  const auto number_of = [&values](const Json& value) {
    const auto found = std::ranges::find(values, value);
    const auto number = found - values.begin() + 1;
    if (found == values.end()) values.push_back(value);
    return number;
  };
  std::map<std::string, const ComparedRun*> firsts;
  for (const ComparedRun& run : runs) {
    Json place = Json::array();
    TableRow row;
    for (const std::string& other : grid)
      place.push_back(value_of(run, other)), row.push_back(value_text(value_of(run, other)));
    const auto [first, is_new] = firsts.emplace(canonical_text(place), &run);
    if (is_new || value_of(run, key) == value_of(*first->second, key)) continue;
    const auto reference = number_of(value_of(*first->second, key));  // counts values in the order in which it is asked
    row.push_back(fmt::format("{}/{}", number_of(value_of(run, key)), reference));
    for (const Measure& measure : measures) row.push_back(ratio(*first->second, run, measure));
    table.rows.push_back(std::move(row));
  }
  if (table.rows.empty())
    throw InputError("--by", fmt::format("no two runs differ in {} alone; keys that differ: {}", key,
                                         grid.empty() ? "none" : fmt::format("{}", fmt::join(grid, ", "))));
  add_means(table, first_ratio);
  table.caption = "Errors and work as ratios, below the geometric means.";
  for (std::size_t i = 0; i < values.size(); ++i)
    table.caption += fmt::format(" {} = {}{}", i + 1, short_text(values[i], values), i + 1 < values.size() ? "," : "");
  return table;
}

}  // namespace daelab
