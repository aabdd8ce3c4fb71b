#include "results/table_entries.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/base/interval_text.hpp"
#include "results/entry_values.hpp"
#include "results/printed_number.hpp"
#include "results/round_off.hpp"
#include "results/stored_numbers.hpp"

namespace daelab {
namespace {

constexpr const char* anywhere = "Results";  // the part of a paper whose results have neither tables nor figures

std::optional<double> number_in(const TableCell& cell) {
  if (const std::int64_t* whole = cell.whole()) return static_cast<double>(*whole);
  return cell.real() != nullptr ? std::optional(*cell.real()) : std::nullopt;
}

// The label of a row: the texts before its first number.
std::string row_label(const TableRow& row) {
  std::string label;
  for (const TableCell& cell : row) {
    if (cell.text() == nullptr) break;
    label += (label.empty() ? "" : ", ") + *cell.text();
  }
  return label;
}

std::string printed_by(const Column& column, double value) {
  if (column.format == CellFormat::integer) return fmt::format("{:.0f}", value);
  if (column.format == CellFormat::fixed) return fmt::format("{:.{}f}", value, column.digits);
  return scientific(value, column.digits > 0 ? column.digits : 5);
}

// Printed by the column, but with no more digits than are known, and so that the number confirms it: 0.996 as "1.00"
// has another first digit, and 0.001 as "0.00" has none.
std::string printed(double value, const Column& column, int known) {
  const std::string text = printed_by(column, value);
  const int digits = std::min(significant_digits(text), std::max(known, 1));
  const bool confirmed = verdict_kind(judge_number(value, text)) == VerdictKind::all_digits;
  return confirmed && digits == significant_digits(text) ? text : scientific(value, digits);
}

bool is_judged(const Column& column) {
  return column.format == CellFormat::integer || column.format == CellFormat::scientific ||
         column.format == CellFormat::fixed;
}

// Makes the claims of one result set.
class ClaimMaker {
 public:
  ClaimMaker(const NamedSet& set, TableEntries& to, std::set<std::string>& ids)
      : set_(set), numbers_(set.name, set.results), round_off_(set.results), to_(to), ids_(ids) {}

  void add_table(const Table& table, const std::string& place) {
    std::vector<std::string> labels;
    for (const Column& column : table.columns) labels.push_back(column.label);
    for (const TableRow& row : table.rows) {
      std::vector<std::optional<double>> values;
      for (std::size_t i = 0; i < row.size() && i < table.columns.size(); ++i) {
        values.push_back(is_judged(table.columns[i]) ? number_in(row[i]) : std::nullopt);
        to_.left_out += !is_judged(table.columns[i]) && number_in(row[i]).has_value();
      }
      const std::vector<Json> sources = numbers_.sources(values, labels);
      for (std::size_t i = 0; i < values.size(); ++i)
        if (values[i] && !sources[i].is_null())
          add_number(*values[i], sources[i], table.columns[i], {table.id, row_label(row)}, place);
        else
          to_.left_out += values[i].has_value();
    }
  }

  /// Orders and verdicts, wherever the analysis has them.
  void add_statements(const std::string& place) { add_statements_in(set_.results.analysis, {}, set_.name, place); }

 private:
  struct Row {
    std::string table, label;
  };

  void add_number(double value, const Json& source, const Column& column, const Row& row, const std::string& place) {
    const bool whole = column.format == CellFormat::integer;
    const int known = whole ? 15 : round_off_.digits(value, source);
    Json claim = {{"id", unused_id(fmt::format("{}/{}/{}", row.table, row.label, column.label))},
                  {"location", place},
                  {"table", place},
                  {"row", row.label.empty() ? "-" : row.label},
                  {"column", column.label.empty() ? "-" : column.label}};
    if (known < 1) claim["kind"] = "magnitude";
    claim["printed"] = printed(value, column, known);
    claim["value"] = source;
    claim["expected"] = verdict_words(known < 1 ? VerdictKind::same_order : VerdictKind::all_digits);
    to_.claims.push_back(std::move(claim));
  }

  void add_statements_in(const Json& json, const Json::json_pointer& at, const std::string& of,
                         const std::string& place) {
    if (json.is_array())
      for (std::size_t i = 0; i < json.size(); ++i) add_statements_in(json[i], at / i, of, place);
    if (!json.is_object()) return;
    const std::string name =
        json.contains("label") && json["label"].is_string() ? json["label"].get<std::string>() : of;
    if (is_order(json)) return add_order(json, at, name, place);
    for (const auto& [key, value] : json.items()) {
      if (key == "spec" || key == "units") continue;
      if (key == "verdict" && value.is_string()) add_verdict(value, at / key, name, place);
      add_statements_in(value, at / key, name, place);
    }
  }

  static bool is_order(const Json& json) {
    return json.contains("order") && json.contains("half_width") && json.contains("decided");
  }

  void add_order(const Json& order, const Json::json_pointer& at, const std::string& of, const std::string& place) {
    const std::optional<double> measured = as_double(order["order"]), width = as_double(order["half_width"]);
    if (order["decided"] != Json(true) || !measured || !width || at.tokens.empty()) return;
    const std::optional<double> theory = as_double(order.value("theory", Json()));
    const bool agrees = theory && std::abs(*measured - *theory) <= *width;
    const double claimed = agrees ? *theory : std::round(*measured * 100) / 100;
    add_statement(
        of + "/order of " + at.tokens.back(), "order",
        fmt::format("{}: the observed order of {} is {}", of, at.tokens.back(), interval_text(*measured, *width)),
        claimed, at, place);
  }

  void add_verdict(const Json& verdict, const Json::json_pointer& at, const std::string& of, const std::string& place) {
    const std::string words = verdict, what = at.tokens.size() > 1 ? at.tokens[at.tokens.size() - 2] : "verdict";
    if (!words.empty()) add_statement(of + "/" + what, "status", of + ", " + what + ": " + words, words, at, place);
  }

  void add_statement(const std::string& id, const char* kind, const std::string& text, Json claimed,
                     const Json::json_pointer& at, const std::string& place) {
    to_.claims.push_back({{"id", unused_id(set_.name + "/" + id)},
                          {"location", place},
                          {"kind", kind},
                          {"printed", text},
                          {"claimed", std::move(claimed)},
                          {"value", {{"set", set_.name}, {"result", at.to_string()}}},
                          {"expected", verdict_words(VerdictKind::confirmed)}});
  }

  std::string unused_id(const std::string& id) {
    std::string unused = id;
    for (int i = 2; !ids_.insert(unused).second; ++i) unused = fmt::format("{} ({})", id, i);
    return unused;
  }

  const NamedSet& set_;
  StoredNumbers numbers_;
  ResultRoundOff round_off_;
  TableEntries& to_;
  std::set<std::string>& ids_;
};

}  // namespace

TableEntries entries_of_tables(const std::vector<NamedSet>& sets) {
  TableEntries entries;
  std::set<std::string> ids;
  Json tables = Json::array(), figures = Json::array();
  for (const NamedSet& set : sets) {
    ClaimMaker maker(set, entries, ids);
    std::string place;
    for (const Table& table : set.artifacts.tables) {
      tables.push_back(std::to_string(tables.size() + 1));
      maker.add_table(table, fmt::format("Table {}", tables.size()));
      if (place.empty()) place = fmt::format("Table {}", tables.size());
    }
    if (!set.artifacts.figures.empty()) place = fmt::format("Figure {}", figures.size() + 1);
    for (std::size_t i = 0; i < set.artifacts.figures.size(); ++i)
      figures.push_back(std::to_string(figures.size() + 1));
    maker.add_statements(place.empty() ? anywhere : place);
  }
  entries.contents = {{"tables", tables}, {"figures", figures}};
  if (tables.empty() && figures.empty()) entries.contents = {{"parts", Json::array({anywhere})}};
  return entries;
}

}  // namespace daelab
