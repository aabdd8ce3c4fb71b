#include "results/compare_by.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <set>

#include "core/base/exact.hpp"
#include "core/base/options.hpp"
#include "results/provenance.hpp"
#include "results/reference_errors.hpp"
#include "results/run_record.hpp"

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

struct Measure {
  std::string label;
  std::function<double(const RunRecord&)> in;
};

const std::vector<Measure>& all_measures() {
  static const std::vector<Measure> all = [] {
    std::vector<Measure> measures;
    for (const char* kind : {"q", "v", "a", "lambda", "y"})
      measures.push_back({fmt::format("error of {}", kind), [kind](const RunRecord& record) {
                            if (!record.error) return 0.0;
                            const auto error = record.error->of.find(kind);
                            return error == record.error->of.end() ? 0.0 : error->second;
                          }});
    const auto add = [&](const char* label, const auto& in) { measures.push_back({label, in}); };
    add("energy error", [](const RunRecord& r) { return static_cast<double>(r.max.energy_error.value_or(0)); });
    add("steps", [](const RunRecord& r) { return static_cast<double>(r.stats.steps); });
    add("residuals", [](const RunRecord& r) { return static_cast<double>(r.stats.residuals); });
    add("factorizations", [](const RunRecord& r) { return static_cast<double>(r.stats.factorizations); });
    add("CPU time", [](const RunRecord& r) { return r.stats.cpu_seconds; });
    return measures;
  }();
  return all;
}

// What is kept of a run: the members of its specification, and its numbers, 0 for those it does not have.
struct ComparedRun {
  std::vector<std::pair<const std::string*, const Json*>> spec;
  std::vector<double> measured;
};

// Keys and values that many runs have are there once, so that a run takes hundreds of bytes.
class ComparedRuns {
 public:
  void add(const Json& record) {
    ComparedRun run;
    const Json spec = spec_in(record);
    for (const auto& [key, value] : spec.items()) {
      const std::string& name = *keys_.insert(key).first;
      if (value.is_null()) continue;  // as where there is no such member
      run.spec.emplace_back(&name, &values_.try_emplace(canonical_text(value), value).first->second);
    }
    run.spec.shrink_to_fit();
    const std::optional<RunRecord> numbers = integration_record(record);
    for (const Measure& measure : all_measures()) {
      const double x = numbers && numbers->ok() ? measure.in(*numbers) : 0;
      run.measured.push_back(std::isfinite(x) ? x : 0);
    }
    runs.push_back(std::move(run));
  }
  const std::set<std::string>& keys() const { return keys_; }
  std::vector<ComparedRun> runs;

 private:
  std::set<std::string> keys_;
  std::map<std::string, Json> values_;  // by their canonical texts
};

const Json& value_of(const ComparedRun& run, const std::string& key) {
  static const Json none;
  const auto found = std::ranges::find_if(run.spec, [&](const auto& member) { return *member.first == key; });
  return found == run.spec.end() ? none : *found->second;
}

bool same(const Json& a, const Json& b) { return &a == &b || a == b; }

// Each value of `key` comes with one value of `other` only.
bool follows(const std::string& other, const std::string& key, const std::vector<ComparedRun>& runs) {
  std::map<const Json*, const Json*> seen;
  return std::ranges::all_of(runs, [&](const ComparedRun& run) {
    const Json* const value = &value_of(run, other);
    return seen.emplace(&value_of(run, key), value).first->second == value;
  });
}

bool varies(const std::string& key, const std::vector<ComparedRun>& runs) {
  return std::ranges::any_of(
      runs, [&](const ComparedRun& run) { return !same(value_of(run, key), value_of(runs.front(), key)); });
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
      if (!same(a, b) && comes_before(a, b) != comes_before(b, a)) return comes_before(a, b);
    }
    return false;
  });
}

// The numbers that a run of these has, by their places among all of them.
std::vector<std::size_t> measures_of(const std::vector<ComparedRun>& runs) {
  std::vector<std::size_t> measures;
  for (std::size_t m = 0; m < all_measures().size(); ++m)
    if (std::ranges::any_of(runs, [m](const ComparedRun& run) { return run.measured[m] != 0; })) measures.push_back(m);
  return measures;
}

TableCell ratio(const ComparedRun& first, const ComparedRun& other, std::size_t measure) {
  const double x = first.measured[measure], y = other.measured[measure];
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
  std::vector<TableRow> means;
  std::set<std::string> values;
  for (const TableRow& row : table.rows)
    if (const std::string& value = *row[pair].text(); values.insert(value).second) {
      TableRow mean(pair);
      if (pair > 0) mean[0] = "mean";
      mean.push_back(value);
      for (std::size_t c = first_ratio; c < table.columns.size(); ++c)
        mean.push_back(geometric_mean(table.rows, pair, c, value));
      means.push_back(std::move(mean));
    }
  std::ranges::move(means, std::back_inserter(table.rows));
}

void require_key(const std::string& key, const std::set<std::string>& keys) {
  if (keys.contains(key)) return;
  const std::vector<std::string> known(keys.begin(), keys.end());
  throw InputError("--by", fmt::format("runs have no key '{}'{} (known: {})", key, did_you_mean(key, known),
                                       fmt::join(known, ", ")));
}

}  // namespace

Table ratios_by(const std::string& key, const std::vector<std::string>& dirs) {
  ComparedRuns read;
  for (const std::string& dir : dirs) visit_runs_with_errors(dir, [&](const Json& record) { read.add(record); });
  std::vector<ComparedRun>& runs = read.runs;
  require_key(key, read.keys());
  std::vector<std::string> grid;
  for (const std::string& other : read.keys())
    if (other != key && varies(other, runs) && !follows(other, key, runs)) grid.push_back(other);
  sort_by(grid, runs);
  Table table;
  table.id = "ratios";
  for (const std::string& other : grid) table.columns.emplace_back().label = other == "h" ? "h [s]" : other;
  table.columns.emplace_back().label = key;
  const std::size_t first_ratio = table.columns.size();
  const std::vector<std::size_t> measures = measures_of(runs);
  for (const std::size_t m : measures)
    table.columns.push_back({all_measures()[m].label, "", CellFormat::scientific, digits});

  // Values have numbers: names of methods leave no room for ratios.
  std::vector<Json> values;
  const auto number_of = [&values](const Json& value) {
    const auto found = std::ranges::find(values, value);
    const auto number = found - values.begin() + 1;
    if (found == values.end()) values.push_back(value);
    return number;
  };
  std::map<std::vector<const Json*>, const ComparedRun*> firsts;
  for (const ComparedRun& run : runs) {
    std::vector<const Json*> place;
    for (const std::string& other : grid) place.push_back(&value_of(run, other));
    const auto [first, is_new] = firsts.emplace(place, &run);
    if (is_new || same(value_of(run, key), value_of(*first->second, key))) continue;
    TableRow row;
    for (const Json* value : place) row.push_back(value_text(*value));
    const auto reference = number_of(value_of(*first->second, key));  // counts values in the order in which it is asked
    row.push_back(fmt::format("{}/{}", number_of(value_of(run, key)), reference));
    for (const std::size_t m : measures) row.push_back(ratio(*first->second, run, m));
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
