// Tables and figures of step histories, from their result.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "experiments/kinds/step_history.hpp"
#include "experiments/measures/figure_spec.hpp"
#include "experiments/measures/run_times.hpp"
#include "results/record_values.hpp"

namespace daelab {
namespace {

using RunResult = StepHistoryExperiment::RunResult;

template <auto column>
double attempt_value(const StepHistoryRecord& attempts, std::size_t i) {
  return static_cast<double>((attempts.*column)[i]);
}

// Not a number where the method has no differences.
double smoothness_value(const StepHistoryRecord& attempts, std::size_t i) {
  const bool is_known = i < attempts.smoothness.size() && attempts.smoothness[i] >= 0;
  return is_known ? attempts.smoothness[i] : std::numeric_limits<double>::quiet_NaN();
}

/// What a panel shows against time.
struct Quantity {
  const char *name, *label;
  bool log, stairs;  // stairs: holds over a whole step; the others belong to its end, counts summed up from the start
  double (*of)(const StepHistoryRecord& attempts, std::size_t i);
};
using Attempts = StepHistoryRecord;
constexpr Quantity quantities[] = {
    {"h", "step size h [s]", true, true, attempt_value<&Attempts::h>},
    {"order", "order", false, true, attempt_value<&Attempts::order>},
    {"error", "error / tolerance", true, false, attempt_value<&Attempts::error>},
    {"smoothness", "smoothness", false, true, smoothness_value},
    {"newton_iterations", "Newton iterations", false, false, attempt_value<&Attempts::newton_iterations>},
    {"residuals", "residuals", false, false, attempt_value<&Attempts::residuals>},
    {"jacobians", "Jacobians", false, false, attempt_value<&Attempts::jacobians>},
    {"factorizations", "factorisations", false, false, attempt_value<&Attempts::factorizations>}};

const Quantity* find_quantity(const std::string& name) {
  const auto place = std::find_if(std::begin(quantities), std::end(quantities),
                                  [&](const Quantity& quantity) { return name == quantity.name; });
  return place == std::end(quantities) ? nullptr : place;
}

std::string cause_text(const StepOutcome& outcome) {
  switch (outcome.kind) {
    case StepOutcome::Kind::error:
      return "rejected by error";
    case StepOutcome::Kind::cut:
      return "cut to an event";
    default:
      return to_string(outcome);
  }
}

// ----- tables -----

Table statistics_table(const std::string& lead, const Config& config, const std::vector<RunResult>& runs) {
  RunTimes times;
  for (const RunResult& run : runs) times.add(run.stats);
  Table table{config.name + "-statistics",
              fmt::format("{} Accepted steps, attempts rejected by their error and attempts whose iteration failed; "
                          "work; {}; smallest and largest accepted step, without the last one, which is cut to the "
                          "end.",
                          lead, times.words()),
              {{"Run", "", CellFormat::text, 0}},
              {}};
  for (const char* label : {"Steps", "Rejected", "Failed", "Residuals", "Jacobians", "Factorisations", "Back solves"})
    table.columns.push_back({label, "", CellFormat::integer, 0});
  times.add_columns(table);
  table.columns.push_back({"h min [s]", "$h_{\\min}$ [s]", CellFormat::scientific, 3});
  table.columns.push_back({"h max [s]", "$h_{\\max}$ [s]", CellFormat::scientific, 3});
  table.columns.push_back({"Status", "", CellFormat::text, 0});
  for (const RunResult& run : runs) {
    const RunStatistics& stats = run.stats;
    TableRow row{run.label,       run.history.accepted().size(), run.rejected_by_error, run.failed, stats.residuals,
                 stats.jacobians, stats.factorizations,          stats.back_solves};
    times.add_cells(row, stats);
    row.push_back(run.least_step), row.push_back(run.largest_step), row.push_back(to_string(run.status));
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table order_table(const std::string& lead, const Config& config, const std::vector<RunResult>& runs) {
  int largest = 0;
  for (const RunResult& run : runs) largest = std::max(largest, run.history.largest_order());
  Table table{config.name + "-orders",
              lead + " Share of each order in the accepted steps and in the time.",
              {{"Run", "", CellFormat::text, 0}, {"Share of", "", CellFormat::text, 0}},
              {}};
  for (int k = 1; k <= largest; ++k)
    table.columns.push_back({fmt::format("Order {} [%]", k), "", CellFormat::fixed, 1});
  table.columns.push_back({"Mean order", "", CellFormat::fixed, 2});
  for (const RunResult& run : runs) {
    if (run.history.largest_order() == 0) continue;
    const OrderShare share(run.history, largest);
    TableRow steps{run.label, "steps"}, time{run.label, "time"};
    for (std::size_t k = 1; k < share.steps.size(); ++k)
      steps.push_back(100 * share.steps[k]), time.push_back(100 * share.time[k]);
    steps.push_back(share.mean), time.push_back(nullptr);
    table.rows.push_back(std::move(steps)), table.rows.push_back(std::move(time));
  }
  return table;
}

// ----- figures -----

std::vector<HistoryFigure> default_figures(const Config& config) {
  HistoryFigure figure;
  figure.id = config.name;
  figure.rejections = config.runs.size() == 1;  // those of several runs hide each other
  figure.caption = "Step size, order of the formula and error estimate relative to the tolerance, against time.";
  if (figure.rejections) figure.caption += " Attempts that were dropped are marked by cause.";
  return {figure};
}

bool in_time(const HistoryFigure& spec, double t) { return !spec.t_max || t <= spec.t_max->as<double>(); }

Series curve(const StepAttempts& history, const Quantity& quantity, const HistoryFigure& spec) {
  Series series;
  const auto add = [&series](double t, double y) { series.x.push_back(t), series.y.push_back(y); };
  for (const std::size_t i : history.accepted()) {
    if (!in_time(spec, history.end(i))) break;
    const double y = quantity.of(history.attempts(), i);
    if (std::isnan(y)) continue;
    if (quantity.stairs && (series.y.empty() || y != series.y.back())) add(history.begin(i), y);
    add(history.end(i), y);
  }
  return series;
}

// Attempts that were dropped, where they began.
std::vector<Series> marks_of(const StepAttempts& history, const Quantity& quantity, const HistoryFigure& spec) {
  std::vector<Series> list;
  for (const auto& [outcome, count] : history.causes()) {
    Series marks;
    marks.label = cause_text(outcome), marks.style = CurveStyle::points;
    for (const std::size_t i : history.dropped()) {
      const double t = history.begin(i), y = quantity.of(history.attempts(), i);
      if (history.outcome(i) != outcome || !std::isfinite(y) || !in_time(spec, t)) continue;
      marks.x.push_back(t), marks.y.push_back(y);
    }
    if (!marks.x.empty()) list.push_back(std::move(marks));
  }
  return list;
}

Figure history_figure(const HistoryFigure& spec, const std::vector<RunResult>& runs) {
  std::vector<const RunResult*> shown;
  for (const RunResult& run : runs)
    if (is_shown(spec.runs, run.label) && !run.history.empty()) shown.push_back(&run);
  Figure figure{spec.id, spec.caption, {}};
  for (const std::string& name : spec.panels) {
    const Quantity& quantity = *find_quantity(name);
    Panel panel;
    panel.x_label = "time [s]", panel.y_label = quantity.label, panel.log_y = quantity.log;
    for (const RunResult* run : shown) {
      panel.series.push_back(curve(run->history, quantity, spec));
      if (shown.size() > 1 || spec.rejections) panel.series.back().label = shown.size() > 1 ? run->label : "accepted";
    }
    if (spec.rejections && quantity.log)
      for (const RunResult* run : shown)
        for (Series& marks : marks_of(run->history, quantity, spec)) {
          if (shown.size() > 1) marks.label = run->label + ", " + marks.label;
          panel.series.push_back(std::move(marks));
        }
    figure.panels.push_back(std::move(panel));
  }
  return figure;
}

}  // namespace

std::vector<std::string> StepHistoryExperiment::quantity_names() {
  std::vector<std::string> names;
  for (const Quantity& quantity : quantities) names.push_back(quantity.name);
  return names;
}

Artifacts StepHistoryExperiment::present(const Config& config, const Result& result) const {
  Artifacts artifacts;
  const std::string lead = caption.empty() ? config.title + "." : caption;
  for (const RunResult& run : result.runs)
    if (run.status != StatusCode::ok)
      artifacts.notes.push_back(fmt::format("{}: {} - {}", run.label, to_string(run.status), run.cause));
  artifacts.tables.push_back(statistics_table(lead, config, result.runs));
  if (Table table = order_table(lead, config, result.runs); !table.rows.empty())
    artifacts.tables.push_back(std::move(table));
  for (const HistoryFigure& figure : figures.empty() ? default_figures(config) : figures)
    artifacts.figures.push_back(history_figure(figure, result.runs));
  return artifacts;
}

}  // namespace daelab
