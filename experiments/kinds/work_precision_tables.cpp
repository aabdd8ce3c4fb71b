// Tables and figures of work-precision, from its result.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "experiments/kinds/work_precision.hpp"
#include "experiments/measures/cost.hpp"
#include "experiments/measures/figure_spec.hpp"
#include "lab/runs/component.hpp"
#include "lab/runs/steps.hpp"
#include "results/record_values.hpp"

namespace daelab {
namespace {

using RunSeries = WorkPrecision::RunSeries;
using WorkPoint = WorkPrecision::Point;

// ----- tables -----

// Columns of the steps of a run come first.
Table table_of_runs(std::string id, std::string caption) {
  return {std::move(id),
          std::move(caption),
          {{"Solver", "", CellFormat::text, 0},
           {"rtol", "", CellFormat::text, 0},
           {"atol", "", CellFormat::text, 0},
           {"h0 [s]", "$h_0$ [s]", CellFormat::text, 0}},
          {}};
}

TableRow step_cells(const std::string& label, const RunSpec& spec) {
  const auto tolerance = [](const std::optional<Exact>& x) { return x ? TableCell(tolerance_text(*x)) : TableCell(); };
  return {label, tolerance(spec.rtol), tolerance(spec.atol), spec.h ? TableCell(spec.h->text()) : TableCell()};
}

// A row for each run that has an accuracy, and for no other.
void add_rows(Table& table, const std::vector<RunSeries>& all, const auto& add_cells) {
  for (const RunSeries& series : all)
    for (const WorkPoint& point : series.points) {
      if (!point.ok()) continue;
      TableRow row = step_cells(series.label, point.spec);
      add_cells(row, point);
      table.rows.push_back(std::move(row));
    }
}

RunTimes times_of(const std::vector<RunSeries>& all) {
  RunTimes times;
  for (const RunSeries& series : all)
    for (const WorkPoint& point : series.points)
      if (point.ok()) times.add(point.stats);
  return times;
}

Table run_table(std::string id, std::string caption, const std::vector<RunSeries>& all) {
  const RunTimes times = times_of(all);
  Table table = table_of_runs(std::move(id), std::move(caption));
  for (const char* label : {"mescd", "scd"}) table.columns.push_back({label, "", CellFormat::fixed, 2});
  for (const char* label : {"steps", "accept", "#f", "#Jac", "#LU"})
    table.columns.push_back({label, "", CellFormat::integer, 0});
  times.add_columns(table);
  add_rows(table, all, [&times](TableRow& row, const WorkPoint& p) {
    row.push_back(p.reached("mescd")), row.push_back(p.reached("scd"));
    for (const long count : {p.stats.steps + p.stats.rejected, p.stats.steps, p.stats.residuals, p.stats.jacobians,
                             p.stats.factorizations})
      row.push_back(count);
    times.add_cells(row, p.stats);
  });
  return table;
}

Table error_table(std::string id, std::string caption, const std::vector<RunSeries>& all) {
  Table table = table_of_runs(std::move(id), std::move(caption));
  const std::vector<std::string>& classes = all.front().classes;
  for (const std::string& kind : classes) table.columns.push_back({kind, class_tex(kind), CellFormat::scientific, 3});
  add_rows(table, all, [&](TableRow& row, const WorkPoint& p) {
    for (const std::string& kind : classes) row.push_back(p.reached(kind));
  });
  return table;
}

Table failed_table(std::string id, std::string caption, const std::vector<RunSeries>& all) {
  Table table = table_of_runs(std::move(id), std::move(caption));
  table.columns.push_back({"t [s]", "$t$ [s]", CellFormat::scientific, 3});
  table.columns.push_back({"steps", "", CellFormat::integer, 0});
  for (const char* label : {"Status", "Cause"}) table.columns.push_back({label, "", CellFormat::text, 0});
  for (const RunSeries& series : all)
    for (const WorkPoint& p : series.points) {
      if (p.ok()) continue;
      TableRow row = step_cells(series.label, p.spec);
      row.push_back(p.t), row.push_back(p.stats.steps), row.push_back(to_string(p.status)), row.push_back(p.cause);
      table.rows.push_back(std::move(row));
    }
  return table;
}

Table cost_table(std::string id, std::string caption, const std::vector<RunSeries>& all) {
  Table table{std::move(id),
              std::move(caption),
              {{"Solver", "", CellFormat::text, 0}, {"Accuracy", "", CellFormat::text, 0}},
              {}};
  for (const Cost& cost : all_costs()) {
    table.columns.push_back({cost_label(cost, times_of(all)), "",
                             cost.is_time ? CellFormat::seconds : CellFormat::fixed, cost.is_time ? 3 : 0});
  }
  for (const RunSeries& series : all)
    for (const WorkPrecision::CostOfAccuracy& costs : series.costs) {
      const std::string& measure = costs.measure;
      const bool digits = WorkPrecision::counts_digits(measure);
      TableRow row{series.label, fmt::format("{} = {}", digits ? measure : "error of " + measure, costs.at)};
      for (const Cost& cost : all_costs()) row.push_back(costs.cost.at(cost.name));
      table.rows.push_back(std::move(row));
    }
  return table;
}

// ----- tables of a chosen shape -----

ShownMeasure shown_measure(const std::string& text) {
  using Better = ShownMeasure::Better;
  if (!component_of_error(text).empty()) return {Better::less, CellFormat::scientific, 3};
  if (WorkPrecision::counts_digits(text)) return {Better::more, CellFormat::fixed, 2};
  return {Better::less, cost_by_name(text, "").is_time ? CellFormat::seconds : CellFormat::fixed,
          cost_by_name(text, "").is_time ? 3 : 0};
}

TableCell shown_cell(const WorkPoint& point, const std::string& text) {
  const std::string component = component_of_error(text);
  if (component.empty() && !WorkPrecision::counts_digits(text)) return point.cost.at(text);
  return point.ok() ? TableCell(point.reached(component.empty() ? text : component))
                    : TableCell(to_string(point.status));
}

Table table_of_choice(const ChosenTable& chosen, const std::string& id, const std::vector<RunSeries>& all) {
  std::vector<ShownMeasure> measures;
  for (const std::string& text : chosen.show) measures.push_back(shown_measure(text));
  std::vector<TabledRun> runs;
  for (const RunSeries& series : all)
    for (const WorkPoint& point : series.points) {
      TabledRun& run = runs.emplace_back(
          TabledRun{WorkPrecision::with_steps(series.spec, point.spec), series.label, series.factors, {}});
      for (const std::string& text : chosen.show) run.cells.push_back(shown_cell(point, text));
    }
  return chosen_table(chosen, id, measures, runs);
}

// ----- figures -----

Panel empty_panel(const WorkFigure& spec, const std::string& measure, const Cost& cost,
                  const std::vector<RunSeries>& all) {
  Panel panel;
  const bool digits = WorkPrecision::counts_digits(measure);
  panel.x_label = digits ? "correct digits (" + measure + ")" : "error of " + measure;
  const std::string& t_end = all.front().t_end.text();
  const bool beside = spec.orientation == WorkFigure::accuracy_over_cost;  // there is no room for a long label
  if (!beside && std::ranges::all_of(all, [&](const RunSeries& s) { return s.t_end.text() == t_end; }))
    panel.x_label += " at t = " + t_end + " s";
  panel.log_x = !digits;
  panel.y_label = cost_label(cost, times_of(all)), panel.log_y = true;
  if (beside) std::swap(panel.x_label, panel.y_label), std::swap(panel.log_x, panel.log_y);
  return panel;
}

Series work_curve(const WorkFigure& spec, const RunSeries& series, const std::string& measure, const Cost& cost) {
  Series curve;
  curve.label = series.label, curve.factors = series.factors, curve.style = CurveStyle::line_points;
  for (const WorkPoint& point : series.points) {
    const auto reached = point.reached(measure);
    const double spent = point.cost.at(cost.name);
    if (!reached || !std::isfinite(*reached) || spent <= 0) continue;
    curve.x.push_back(*reached), curve.y.push_back(spent);
  }
  if (spec.orientation == WorkFigure::accuracy_over_cost) std::swap(curve.x, curve.y);
  return curve;
}

Figure work_figure(const WorkFigure& spec, const std::vector<RunSeries>& all) {
  Figure figure{spec.id, spec.caption, {}};
  if (std::ranges::any_of(spec.cost, [](const std::string& name) { return cost_by_name(name, "").is_time; }))
    figure.caption += fmt::format(" Times: {}.", times_of(all).words());
  const std::vector<std::string> measures =
      spec.accuracy.empty() ? std::vector{all.front().classes.front()} : spec.accuracy;
  for (const std::string& measure : measures)
    for (const std::string& name : spec.cost) {
      const Cost& cost = cost_by_name(name, "");
      Panel panel = empty_panel(spec, measure, cost, all);
      for (const RunSeries& series : all) {
        if (!is_shown(spec.series, series.label)) continue;
        if (Series curve = work_curve(spec, series, measure, cost); !curve.x.empty())
          panel.series.push_back(std::move(curve));
      }
      figure.panels.push_back(std::move(panel));
    }
  return figure;
}

WorkFigure default_work_figure(const Config& config, const std::vector<std::string>& classes) {
  WorkFigure figure;
  figure.id = config.name;
  figure.caption = fmt::format("Accepted steps over the largest error of {} at the end time.", classes.front());
  return figure;
}

}  // namespace

std::vector<Table> WorkPrecision::tables(const Config& config, const Result& result) const {
  const std::vector<std::string>& classes = result.series.front().classes;
  const bool measured = result.failure.empty();
  std::vector<Table> all;
  const auto add = [&](const char* id, const std::string& what, const auto& table) {
    all.push_back(table(config.name + id, (caption.empty() ? config.title + "." : caption) + what, result.series));
  };
  if (measured) {
    add("-runs",
        fmt::format(" scd: significant correct digits of {}; mescd: those of the mixed errors of {}; attempts at a "
                    "step and those accepted (#f residuals, #Jac Jacobians, #LU "
                    "factorisations); {}.",
                    fmt::join(of_scd(classes), ", "), fmt::join(of_mescd(classes), ", "),
                    times_of(result.series).words()),
        run_table);
    add("-errors", std::string(" At the end time. ") + units_of_errors, error_table);
  }
  add("-failed", " Runs that failed, with the time they reached.", failed_table);
  if (all.back().rows.empty()) all.pop_back();
  if (measured && !at_accuracy.empty())
    add("-costs",
        " Cost of an accuracy: interpolated (logarithm of the cost over digits) between the two neighbouring runs that "
        "bracket it; empty where no two do.",
        cost_table);
  return all;
}

Artifacts WorkPrecision::present(const Config& config, const Result& result) const {
  Artifacts artifacts;
  artifacts.tables = tables(config, result);
  if (!result.failure.empty()) {
    artifacts.notes.push_back(result.failure);
    return artifacts;
  }
  const std::vector<RunSeries>& all = result.series;
  for (const RunSeries& series : all)
    if (series.at_floor > 0)
      artifacts.notes.push_back(fmt::format("{}: {} of {} runs reach the digits known of the reference, {}",
                                            series.label, series.at_floor, series.points.size(), series.reference));
  for (std::size_t k = 0; k < chosen_tables.size(); ++k)
    artifacts.tables.push_back(table_of_choice(chosen_tables[k], fmt::format("{}-table-{}", config.name, k + 1), all));
  for (const WorkFigure& figure : figures) artifacts.figures.push_back(work_figure(figure, all));
  // Single points say nothing that the table does not.
  if (figures.empty() && std::ranges::any_of(all, [](const RunSeries& series) { return series.points.size() > 1; }))
    artifacts.figures.push_back(work_figure(default_work_figure(config, all.front().classes), all));
  return artifacts;
}

}  // namespace daelab
