// Crossover: its tables and its figure.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/base/interval_text.hpp"
#include "experiments/kinds/crossover.hpp"
#include "lab/runs/steps.hpp"

namespace daelab {
namespace {

using SweptSeries = CrossoverResult::Series;

// 1010, not 1.01e+03
std::string three_digits(double value) {
  const double unit = std::pow(10, std::floor(std::log10(value)) - 2);
  return fmt::format("{:.10g}", std::round(value / unit) * unit);
}

RunTimes times_of(const std::vector<SweptSeries>& all) {
  RunTimes times;
  for (const SweptSeries& series : all)
    for (const CrossoverResult::Point& point : series.points)
      if (point.cheapest) times.add(point.cheapest->stats);
  return times;
}

// Those of the second group, or of all series without groups.
std::vector<double> values_of(const CrossoverResult::Swept& swept) {
  std::set<double> values;
  for (const Least& theirs : swept.second) values.insert(theirs.value);
  if (swept.second.empty())
    for (const SweptSeries& series : swept.series)
      for (const CrossoverResult::Point& point : series.points) values.insert(point.value);
  return {values.begin(), values.end()};
}

// What the first group costs in terms of the second.
TableCell ratio_at(const CrossoverResult::Swept& swept, double value) {
  const auto ours = std::ranges::find(swept.first, value, &Least::value);
  const auto theirs = std::ranges::find(swept.second, value, &Least::value);
  return ours == swept.first.end() ? TableCell() : TableCell(ours->cost / theirs->cost);
}

TableCell cost_at(const SweptSeries& series, double value) {
  for (const CrossoverResult::Point& point : series.points)
    if (point.value == value && point.cheapest) return point.cheapest->cost;
  return nullptr;
}

std::string capital(std::string text) {
  if (text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

TableCell crossing_cell(const Crossover& found) {
  if (!found.at) return "never";
  return fmt::format("{}{:.3g}", found.beyond ? "at least " : "", *found.at);
}

}  // namespace

Artifacts CrossoverExperiment::present(const Config& config, const Result& result) const {
  Artifacts artifacts;
  if (!result.failure.empty()) {
    artifacts.notes.push_back(result.failure);
    return artifacts;
  }
  const std::string heading = lead(config) + conditions(config);
  Figure figure{config.name, heading, {}};
  for (const Swept& swept : result.swept) {
    artifacts.tables.push_back(least_table(config.name, heading, swept));
    figure.panels.push_back(panel(swept));
    if (cost_by_name(swept.cost, "").is_time)
      figure.caption += fmt::format(" Times: {}.", times_of(swept.series).words());
    if (&swept == &result.swept.front()) artifacts.tables.push_back(run_table(config.name + "-runs", heading, swept));
  }
  if (groups.empty())
    artifacts.tables.push_back(growth_table(config, result.swept)),
        artifacts.tables.push_back(pair_table(config, result.swept));
  else
    artifacts.tables.push_back(crossing_table(config, result.swept));
  artifacts.figures.push_back(std::move(figure));
  return artifacts;
}

std::string CrossoverExperiment::conditions(const Config& config) const {
  const Run& run = integration(config, 0);
  const std::string paid = per == CostOf::step ? " Work of a step, on the mean." : "";
  if (!within) return fmt::format(" Cheapest run of each method, to t = {} s.{}", run.t_end().text(), paid);
  return fmt::format(" Cheapest run of each method with an error of {} of at most {} at t = {} s.{}", measure(run),
                     tolerance_text(*within), run.t_end().text(), paid);
}

// "CPU time per step [s]"
std::string CrossoverExperiment::label_of(const Swept& swept) const {
  std::string label = cost_label(cost_by_name(swept.cost, ""), times_of(swept.series));
  if (per == CostOf::step) label.insert(std::min(label.find(" ["), label.size()), " per step");
  return label;
}

// Numbers of bodies are counted.
Column CrossoverExperiment::value_column(const Swept& swept) const {
  const auto is_whole = [](const Point& point) { return std::floor(point.value) == point.value; };
  const bool counts = swept_parameter().is_named() && std::ranges::all_of(swept.series, [&](const SweptSeries& series) {
                        return std::ranges::all_of(series.points, is_whole);
                      });
  return counts ? Column{x_axis(), "", CellFormat::integer, 0} : Column{x_axis(), "", CellFormat::scientific, 2};
}

// A column for each series; empty where none of its runs reaches the accuracy, or none was made.
Table CrossoverExperiment::least_table(const std::string& name, const std::string& heading, const Swept& swept) const {
  const bool is_time = cost_by_name(swept.cost, "").is_time;
  const CellFormat counted = per == CostOf::step ? CellFormat::fixed : CellFormat::integer;
  Table table{fmt::format("{}-{}", name, swept.cost),
              fmt::format("{} {}.", heading, capital(is_time ? times_of(swept.series).words() : label_of(swept))),
              {value_column(swept)},
              {}};
  for (const SweptSeries& series : swept.series)
    table.columns.push_back(is_time ? time_column(series.label) : Column{series.label, "", counted, 2});
  if (!groups.empty()) table.columns.push_back({groups[0].label + " / " + groups[1].label, "", CellFormat::fixed, 2});
  for (const double value : values_of(swept)) {
    TableRow row{value};
    for (const SweptSeries& series : swept.series) row.push_back(cost_at(series, value));
    if (!groups.empty()) row.push_back(ratio_at(swept, value));
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table CrossoverExperiment::run_table(const std::string& id, const std::string& heading, const Swept& swept) const {
  const RunTimes times = times_of(swept.series);
  Table table{
      id,
      fmt::format("{} The runs (#f residuals, #Jac Jacobians, #LU factorisations); {}.", heading, times.words()),
      {{"Solver", "", CellFormat::text, 0}, value_column(swept), {"tolerance or h", "", CellFormat::text, 0}},
      {}};
  if (within) table.columns.push_back({"error", "", CellFormat::scientific, 2});
  for (const char* label : {"steps", "#f", "#Jac", "#LU"}) table.columns.push_back({label, "", CellFormat::integer, 0});
  times.add_columns(table);
  for (const SweptSeries& series : swept.series)
    for (const Point& point : series.points) {
      if (!point.cheapest) continue;
      const auto& [steps, rtol, h, stats, spent, error] = *point.cheapest;
      TableRow row{series.label, point.value, steps};
      if (within) row.push_back(*error);
      for (const long count : {stats.steps, stats.residuals, stats.jacobians, stats.factorizations})
        row.push_back(count);
      times.add_cells(row, stats);
      table.rows.push_back(std::move(row));
    }
  return table;
}

Table CrossoverExperiment::crossing_table(const Config& config, const std::vector<Swept>& all) const {
  Table table{config.name + "-crossover",
              fmt::format("{} The largest {} at which the cheapest {} method costs at most the factor times the "
                          "others.",
                          lead(config), x_axis(), groups[0].label),
              {{"cost", "", CellFormat::text, 0},
               {"against", "", CellFormat::text, 0},
               {"factor", "", CellFormat::fixed, 0},
               {"up to", "", CellFormat::text, 0}},
              {}};
  for (const Swept& swept : all)
    for (const auto& [rival, factor, crossover] : swept.comparisons)
      table.rows.push_back({label_of(swept), rival, factor.as<double>(), crossing_cell(crossover)});
  return table;
}

Table CrossoverExperiment::pair_table(const Config& config, const std::vector<Swept>& all) const {
  Table table{config.name + "-pairs",
              fmt::format("{} The cheaper one of each pair at small values, and the {} from which on the other one is.",
                          lead(config), x_axis()),
              {{"cost", "", CellFormat::text, 0},
               {"cheaper at first", "", CellFormat::text, 0},
               {"against", "", CellFormat::text, 0},
               {"up to", "", CellFormat::text, 0}},
              {}};
  for (const Swept& swept : all)
    for (const auto& [first, second, at] : swept.pairs)
      table.rows.push_back({label_of(swept), first, second, at ? fmt::format("{:.3g}", *at) : "the end"});
  return table;
}

Table CrossoverExperiment::growth_table(const Config& config, const std::vector<Swept>& all) const {
  Table table{config.name + "-growth",
              fmt::format("{} Exponent p of the growth of work with {}, C N^p, fitted to the larger half of the values "
                          "(95 % of the scatter).",
                          lead(config), x_axis()),
              {{"cost", "", CellFormat::text, 0},
               {"series", "", CellFormat::text, 0},
               {"exponent", "", CellFormat::text, 0},
               {"fitted from", "", CellFormat::text, 0},
               {"points", "", CellFormat::integer, 0}},
              {}};
  for (const Swept& swept : all)
    for (const SweptSeries& series : swept.series) {
      if (!series.growth) continue;
      const auto& [exponent, half_width, from, points] = *series.growth;
      table.rows.push_back(
          {label_of(swept), series.label, interval_text(exponent, half_width), fmt::format("{:.10g}", from), points});
    }
  return table;
}

Panel CrossoverExperiment::panel(const Swept& swept) const {
  Panel panel;
  panel.x_label = x_axis(), panel.y_label = label_of(swept);
  panel.log_x = panel.log_y = true;
  double low = HUGE_VAL, high = 0;
  for (const SweptSeries& series : swept.series) {
    if (!drawn.empty() && std::find(drawn.begin(), drawn.end(), series.label) == drawn.end()) continue;
    Series curve;
    curve.label = series.label, curve.factors = series.factors, curve.style = CurveStyle::line_points;
    for (const Point& point : series.points) {
      if (!point.cheapest) continue;
      curve.x.push_back(point.value), curve.y.push_back(point.cheapest->cost);
      low = std::min(low, curve.y.back()), high = std::max(high, curve.y.back());
    }
    if (series.growth) curve.fit = growth_fit(*series.growth, curve.x);
    if (!curve.x.empty()) panel.series.push_back(std::move(curve));
  }
  if (const Crossover& crossover = swept.drawn; crossover.at && !crossover.beyond) {
    Series line;
    line.label = "crossover, " + three_digits(*crossover.at), line.style = CurveStyle::reference;
    line.x = {*crossover.at, *crossover.at}, line.y = {low, high};
    panel.series.push_back(std::move(line));
  }
  return panel;
}

}  // namespace daelab
