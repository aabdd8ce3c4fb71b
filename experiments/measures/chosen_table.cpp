#include "experiments/measures/chosen_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "lab/runs/labels.hpp"
#include "lab/runs/steps.hpp"

namespace daelab {
namespace {

// "formulation, h": both.
std::vector<std::string> factors_of(const std::string& text) {
  std::vector<std::string> factors;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    const std::size_t first = std::min(text.find_first_not_of(' ', begin), comma);
    const std::size_t last = text.find_last_not_of(' ', comma - 1);
    if (first < comma) factors.push_back(text.substr(first, last + 1 - first));
    begin = comma + 1;
  }
  return factors;
}

bool is_step(const std::string& factor) { return factor == "h" || factor == "rtol" || factor.starts_with("atol"); }

// Nothing where the run does not have it.
const Json* place_of(const std::string& factor, const Json& spec) {
  const Json::json_pointer pointer(factor.starts_with('/') ? factor : "/" + factor);
  return spec.contains(pointer) && !spec.at(pointer).is_null() ? &spec.at(pointer) : nullptr;
}

std::string words_of(const std::string& factor, const Json& value) {
  if (factor == "problem") return problem_words(value);
  if (value.is_object()) return spec_text(chosen_component(factor, value));
  const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
  return is_step(factor) && factor != "h" ? tolerance_text(text) : text;
}

std::string factor_of(const TabledRun& run, const char* name) {
  const auto factor = std::ranges::find(run.factors, name, &Factor::name);
  return factor == run.factors.end() ? "" : factor->value;
}

// The shortest name of a run's method that no other method has: the label of runs that differ in nothing else, the
// label that the config gives, what tells it apart from the others, or all that was chosen.
class MethodNames {
 public:
  explicit MethodNames(const std::vector<TabledRun>& runs) {
    for (const Name name : {&label, &given, &apart}) {
      std::map<std::string, std::set<std::string>> names, methods;
      for (const TabledRun& run : runs) {
        const std::string method = run.spec.value("method", Json()).dump();
        names[method].insert(name(run)), methods[name(run)].insert(method);
      }
      const auto is_single = [](const auto& entry) { return entry.second.size() == 1; };
      if (methods.contains("") || !std::ranges::all_of(names, is_single) || !std::ranges::all_of(methods, is_single))
        continue;
      name_ = name;
      return;
    }
  }
  std::string of(const TabledRun& run) const { return name_(run); }

 private:
  using Name = std::string (*)(const TabledRun& run);
  static std::string label(const TabledRun& run) { return run.label; }
  static std::string given(const TabledRun& run) { return factor_of(run, "label"); }
  static std::string apart(const TabledRun& run) { return factor_of(run, "method"); }
  static std::string chosen(const TabledRun& run) { return method_words(run.spec.value("method", Json())); }

  Name name_ = &chosen;
};

// The values of a factor in the order in which they are shown: steps from coarse to fine, other numbers from small to
// large, everything else as the runs have it.
class FactorValues {
 public:
  FactorValues(std::string factor, const std::vector<TabledRun>& runs, const MethodNames& names)
      : factor_(std::move(factor)), names_(names) {
    for (const TabledRun& run : runs)
      if (const std::string value = of(run); std::ranges::find(values_, value) == values_.end())
        values_.push_back(value);
    sort_numbers();
  }
  std::string of(const TabledRun& run) const {
    if (factor_ == "label") return run.label;
    if (factor_ == "method") return names_.of(run);
    const Json* const value = place_of(factor_, run.spec);
    return value == nullptr ? "" : words_of(factor_, *value);
  }
  std::size_t rank(const TabledRun& run) const {
    return static_cast<std::size_t>(std::ranges::find(values_, of(run)) - values_.begin());
  }
  bool is_nowhere() const { return values_ == std::vector<std::string>{""}; }
  std::string heading() const {
    if (factor_ == "h") return "h [s]";
    return factor_.substr(factor_.rfind('/') + 1);
  }

 private:
  void sort_numbers() {
    std::map<std::string, Real100> number;
    try {
      for (const std::string& value : values_) number[value] = Exact(value).value();
    } catch (const InputError&) {
      return;
    }
    std::ranges::stable_sort(values_, [&](const std::string& a, const std::string& b) {
      return is_step(factor_) ? number[a] > number[b] : number[a] < number[b];
    });
  }

  std::string factor_;
  MethodNames names_;
  std::vector<std::string> values_;
};

// One side of a table: its factors, and the combinations of their values that runs have.
class Side {
 public:
  using Place = std::vector<std::size_t>;  // ranks of values

  Side(const std::string& text, const std::vector<TabledRun>& runs) {
    const MethodNames names(runs);
    for (const std::string& factor : factors_of(text)) factors_.emplace_back(factor, runs, names);
    for (const TabledRun& run : runs) places_.try_emplace(place(run), words(run));
  }
  Place place(const TabledRun& run) const {
    Place ranks;
    for (const FactorValues& factor : factors_) ranks.push_back(factor.rank(run));
    return ranks;
  }
  const std::vector<FactorValues>& factors() const { return factors_; }
  const std::map<Place, std::vector<std::string>>& places() const { return places_; }

 private:
  std::vector<std::string> words(const TabledRun& run) const {
    std::vector<std::string> all;
    for (const FactorValues& factor : factors_) all.push_back(factor.of(run));
    return all;
  }

  std::vector<FactorValues> factors_;
  std::map<Place, std::vector<std::string>> places_;
};

void check_side(const std::string& text, const std::vector<TabledRun>& runs, const std::string& where) {
  const std::vector<std::string> factors = factors_of(text);
  if (factors.empty()) throw InputError(where, "names nothing that runs differ in, such as \"h\" or \"method\"");
  const Side side(text, runs);
  for (std::size_t f = 0; f < factors.size(); ++f) {
    if (!side.factors()[f].is_nowhere()) continue;
    std::vector<std::string> known{"label"};
    for (const auto& [key, value] : runs.front().spec.items())
      if (!value.is_null()) known.push_back(key);
    throw InputError(where, fmt::format("no run has '{}'{} (there are: {}, and places in them such as /method/s)",
                                        factors[f], did_you_mean(factors[f], known), fmt::join(known, ", ")));
  }
}

// The member in which two runs differ.
std::string difference(const Json& a, const Json& b) {
  for (const auto& [key, value] : a.items())
    if (!b.contains(key) || b[key] != value) return key;
  return "label";
}

void check_cells(const ChosenTable& table, const std::vector<TabledRun>& runs, const std::string& where) {
  const Side rows(table.rows, runs), columns(table.columns, runs);
  std::map<std::pair<Side::Place, Side::Place>, const TabledRun*> taken;
  for (const TabledRun& run : runs) {
    const auto [place, is_new] = taken.try_emplace({rows.place(run), columns.place(run)}, &run);
    if (!is_new)
      throw InputError(where, fmt::format("two runs are in one cell: they differ in '{}', which is neither in rows nor "
                                          "in columns",
                                          difference(place->second->spec, run.spec)));
  }
}

// What all runs share and no side says.
std::string shared_words(const ChosenTable& table, const std::vector<TabledRun>& runs) {
  std::vector<std::string> parts;
  const std::string sides = table.rows + "," + table.columns;
  for (const char* key : {"problem", "formulation", "method", "h", "rtol", "atol", "t_end"}) {
    const Json* const first = place_of(key, runs.front().spec);
    const auto is_same = [&](const TabledRun& run) {
      const Json* const value = place_of(key, run.spec);
      return value != nullptr && *value == *first;
    };
    if (first == nullptr || sides.find(key) != std::string::npos || !std::ranges::all_of(runs, is_same)) continue;
    const std::string name = key, words = name == "method" ? method_words(*first) : words_of(key, *first);
    parts.push_back(name == "t_end" ? "t = " + words + " s"
                    : name == "h"   ? "h = " + words + " s"
                    : is_step(name) ? name + " = " + words
                                    : words);
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string default_caption(const ChosenTable& table, const std::vector<TabledRun>& runs) {
  std::string text = fmt::format("{}: {}.", fmt::join(table.show, ", "), shared_words(table, runs));
  if (text[0] >= 'a' && text[0] <= 'z' && text.starts_with("error")) text[0] = 'E';
  return text;
}

std::string label_of(const std::vector<std::string>& words, const ChosenTable& table, std::size_t shown) {
  const std::string& text = table.show[shown];
  if (text.starts_with("EOC")) return text == "EOC" || table.show.size() == 2 ? "EOC" : text;
  const auto others = std::ranges::count_if(table.show, [](const std::string& s) { return !s.starts_with("EOC"); });
  const std::string component = component_of_error(text);
  return fmt::format("{}{}", fmt::join(words, ", "),
                     others > 1 ? ": " + (component.empty() ? text : component) : std::string());
}

std::optional<double> number_in(const TableCell& cell) {
  if (cell.real() != nullptr) return *cell.real();
  return cell.whole() == nullptr ? std::nullopt : std::optional(static_cast<double>(*cell.whole()));
}

// The best of a row, of each measure that knows better and worse; all of equals.
void mark_best(Table& table, std::size_t row, std::size_t first, const std::vector<ShownMeasure>& measures) {
  for (std::size_t m = 0; m < measures.size(); ++m) {
    if (measures[m].better == ShownMeasure::Better::neither) continue;
    const double sign = measures[m].better == ShownMeasure::Better::less ? 1 : -1;
    std::vector<std::pair<double, std::size_t>> found;
    for (std::size_t c = first + m; c < table.columns.size(); c += measures.size())
      if (const std::optional<double> value = number_in(table.rows[row][c])) found.emplace_back(sign * *value, c);
    if (found.size() < 2) continue;
    const double least = std::ranges::min_element(found)->first;
    for (const auto& [value, c] : found)
      if (value == least) table.best.push_back({row, c});
  }
}

}  // namespace

Options ChosenTable::options() {
  return {option("id", id, "file stem; empty: made of the config's name"),
          option("caption", caption, "what is shown; empty: what is shown, and what all runs share"),
          option("rows", rows,
                 "what runs differ in by rows: h, rtol, method, ..., or a place such as /method/s; several "
                 "with commas"),
          option("columns", columns, "what runs differ in by columns"),
          option("show", show,
                 "in each cell: \"error of q\" of a class or component, \"EOC\" of the error before it; in "
                 "work-precision also scd, mescd and costs"),
          option("best", best, "the best of each row is printed in bold")};
}

std::string component_of_error(const std::string& text) {
  const std::string begin = "error of ";
  return text.starts_with(begin) ? text.substr(begin.size()) : "";
}

std::vector<std::string> components_of_errors(const std::vector<ChosenTable>& tables) {
  std::vector<std::string> components;
  for (const ChosenTable& table : tables)
    for (const std::string& text : table.show)
      if (const std::string component = component_of_error(text); !component.empty()) components.push_back(component);
  return components;
}

void check_chosen_table(const ChosenTable& table, const std::vector<TabledRun>& runs, const std::string& where) {
  if (table.show.empty()) throw InputError(where + "/show", "names nothing, such as \"error of q\"");
  check_side(table.rows, runs, where + "/rows");
  check_side(table.columns, runs, where + "/columns");
  check_cells(table, runs, where);
}

Table chosen_table(const ChosenTable& chosen, const std::string& id, const std::vector<ShownMeasure>& measures,
                   const std::vector<TabledRun>& runs) {
  const Side rows(chosen.rows, runs), columns(chosen.columns, runs);
  Table table{chosen.id.empty() ? id : chosen.id, chosen.caption, {}, {}};
  if (table.caption.empty()) table.caption = default_caption(chosen, runs);
  for (const FactorValues& factor : rows.factors())
    table.columns.push_back({factor.heading(), "", CellFormat::text, 0});
  const std::size_t first = table.columns.size();
  for (const auto& [place, words] : columns.places())
    for (std::size_t m = 0; m < measures.size(); ++m)
      table.columns.push_back({label_of(words, chosen, m), "", measures[m].format, measures[m].digits});

  std::map<std::pair<Side::Place, Side::Place>, const TabledRun*> run_at;
  for (const TabledRun& run : runs) run_at[{rows.place(run), columns.place(run)}] = &run;
  for (const auto& [row_place, row_words] : rows.places()) {
    TableRow& row = table.rows.emplace_back(row_words.begin(), row_words.end());
    for (const auto& [column_place, column_words] : columns.places()) {
      const auto run = run_at.find({row_place, column_place});
      for (std::size_t m = 0; m < measures.size(); ++m)
        row.push_back(run == run_at.end() ? TableCell() : run->second->cells[m]);
    }
    if (chosen.best) mark_best(table, table.rows.size() - 1, first, measures);
  }
  return table;
}

}  // namespace daelab
