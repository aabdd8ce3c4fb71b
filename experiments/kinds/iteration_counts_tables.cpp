// Tables and figures of iteration counts, from their result.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "experiments/kinds/iteration_counts.hpp"
#include "experiments/measures/run_times.hpp"
#include "results/record_values.hpp"

namespace daelab {
namespace {

using RunCounts = IterationCounts::RunCounts;
using Family = IterationCounts::Family;

constexpr std::size_t last_bin = 4;  // of the table: 4 passes or more

// Solves with k passes; in the last bin with that many or more.
long bin(const RunCounts& run, std::size_t k) {
  const auto& histogram = run.passes->histogram;
  long sum = 0;
  for (std::size_t i = k; i < (k == last_bin ? histogram.size() : k + 1); ++i) sum += histogram[i];
  return sum;
}

long outcome(const RunCounts& run, SolveOutcome outcome) {
  return run.passes->outcomes[static_cast<std::size_t>(outcome)];
}

std::string key_name(const IterationCounts& spec) {
  return spec.vary_label.empty() ? spec.vary.substr(spec.vary.rfind('/') + 1) : spec.vary_label;
}

const char* counted(const IterationCounts& spec) {
  return spec.count == IterationCounts::multiplier_passes ? "passes per solve" : "Newton iterations per step";
}

// ----- the counts -----

TableRow count_row(const RunCounts& run, const RunTimes& times) {
  TableRow row{run.label, run.solves, run.mean};
  if (run.passes) {
    for (std::size_t k = 0; k <= last_bin; ++k) row.push_back(bin(run, k));
    row.push_back(outcome(run, SolveOutcome::floor)), row.push_back(outcome(run, SolveOutcome::not_converged));
    row.push_back(run.flops_per_solve());
  }
  times.add_cells(row, run.time);
  row.push_back(to_string(run.status));
  return row;
}

Table count_table(const IterationCounts& spec, const Config& config, const std::vector<RunCounts>& runs) {
  const bool passes = spec.count == IterationCounts::multiplier_passes;
  const std::string lead = spec.caption.empty() ? config.title + "." : spec.caption;
  Table table{config.name, fmt::format("{} Mean {}", lead, counted(spec)), {{"Run", "", CellFormat::text, 0}}, {}};
  RunTimes times;
  for (const RunCounts& run : runs) times.add(run.time);
  if (passes)
    table.caption +=
        ", number of solves by passes k and by outcome, additions and multiplications per solve (without forming A)";
  table.caption += fmt::format("; {}. Failed runs up to their failure.", times.words());
  const auto integer = [&](const std::string& label, const std::string& tex = "") {
    table.columns.push_back({label, tex, CellFormat::integer, 0});
  };
  integer(passes ? "Solves" : "Steps");
  table.columns.push_back({"Mean", "", CellFormat::fixed, 5});
  if (passes) {
    for (std::size_t k = 0; k < last_bin; ++k) integer(fmt::format("k = {}", k), fmt::format("$k={}$", k));
    integer(fmt::format("k >= {}", last_bin), fmt::format("$k\\ge{}$", last_bin));
    integer("Floor"), integer("Not converged");
    table.columns.push_back({"Flops", "", CellFormat::fixed, 0});
  }
  times.add_columns(table);
  table.columns.push_back({"Status", "", CellFormat::text, 0});
  for (const RunCounts& run : runs) table.rows.push_back(count_row(run, times));
  return table;
}

Figure histogram_figure(const IterationCounts& spec, const Config& config, const std::vector<RunCounts>& runs) {
  Panel panel;
  panel.x_label = "passes k", panel.y_label = "solves", panel.log_y = true;
  for (const RunCounts& run : runs) {
    if (std::find(spec.histograms.begin(), spec.histograms.end(), run.label) == spec.histograms.end()) continue;
    Series bars;
    bars.label = run.label, bars.style = CurveStyle::line_points;
    const auto& histogram = run.passes->histogram;
    for (std::size_t k = 0; k < histogram.size(); ++k)
      if (histogram[k] > 0)
        bars.x.push_back(static_cast<double>(k)), bars.y.push_back(static_cast<double>(histogram[k]));
    panel.series.push_back(std::move(bars));
  }
  return {config.name + "-histogram", "Number of solves with k passes; empty classes are left out.", {panel}};
}

Figure mean_figure(const IterationCounts& spec, const Config& config, const std::vector<Family>& all) {
  Panel panel;
  panel.x_label = key_name(spec), panel.y_label = fmt::format("mean {}", counted(spec)), panel.log_x = true;
  double least = HUGE_VAL, largest = 0;
  for (const Family& family : all)
    for (const Sweep& sweep : family.sweeps) {
      if (sweep.key.empty()) continue;
      Series curve;
      curve.label = sweep.label, curve.style = CurveStyle::line_points;
      curve.x = sweep.key, curve.y = sweep.mean;
      panel.series.push_back(std::move(curve));
      least = std::min(least, sweep.key.back()), largest = std::max(largest, sweep.key.front());
    }
  if (spec.level && largest > 0) {
    Series line;
    line.label = spec.level->text(), line.style = CurveStyle::reference;
    line.x = {least, largest}, line.y = {spec.level->as<double>(), spec.level->as<double>()};
    panel.series.push_back(std::move(line));
  }
  return {config.name + "-mean",
          fmt::format("Mean {} against {}; runs that ended well.", counted(spec), key_name(spec)),
          {panel}};
}

void add_notes(const IterationCounts& spec, const Family& family, std::vector<std::string>& notes) {
  const LevelCurve& curve = *family.curve;
  if (!curve.missing.empty())
    notes.push_back(fmt::format("{}: no two neighbouring values of {} bracket the mean {} at h = {}", family.label,
                                key_name(spec), spec.level->text(), fmt::join(curve.missing, ", ")));
  if (curve.points.empty()) return;
  notes.push_back(fmt::format("{}: mean {} on {} = {:.3g} h^{} (geometric mean); fitted exponent {}", family.label,
                              spec.level->text(), key_name(spec), curve.mean_factor(spec.slope.as<double>()),
                              spec.slope.text(), curve.statement()));
}

Table level_table(const IterationCounts& spec, const Config& config, const std::vector<Family>& all) {
  const std::string key = key_name(spec);
  Table table{config.name + "-level",
              fmt::format("Where the mean is {}: {} by monotone interpolation between neighbouring runs, and divided "
                          "by h^{}.",
                          spec.level->text(), key, spec.slope.text()),
              {{"Series", "", CellFormat::text, 0},
               {"h [s]", "$h$ [s]", CellFormat::text, 0},
               {key, "", CellFormat::scientific, 3},
               {fmt::format("{} / h^{}", key, spec.slope.text()), "", CellFormat::scientific, 3}},
              {}};
  for (const Family& family : all)
    for (const LevelPoint& point : family.curve->points)
      table.rows.push_back(
          {family.label, point.h.text(), point.key, IterationCounts::scaled(point, spec.slope.as<double>())});
  return table;
}

// A factor 3 below the fine end of a curve.
Series slope_line(const Exact& slope, const LevelCurve& curve) {
  Series line;
  line.label = "slope " + slope.text(), line.style = CurveStyle::reference;
  const LevelPoint& fine = curve.points.back();
  for (const LevelPoint* point : {&curve.points.front(), &fine}) {
    line.x.push_back(point->h.as<double>());
    line.y.push_back(fine.key / 3 * std::pow(point->h.as<double>() / fine.h.as<double>(), slope.as<double>()));
  }
  return line;
}

Figure level_figure(const IterationCounts& spec, const Config& config, const std::vector<Family>& all) {
  Panel panel;
  panel.x_label = "step size h [s]", panel.y_label = key_name(spec), panel.log_x = panel.log_y = true;
  const LevelCurve* longest = nullptr;
  for (const Family& family : all) {
    const LevelCurve& curve = *family.curve;
    if (curve.points.empty()) continue;
    Series line;
    line.label = family.label, line.style = CurveStyle::line_points;
    for (const LevelPoint& point : curve.points) line.x.push_back(point.h.as<double>()), line.y.push_back(point.key);
    panel.series.push_back(std::move(line));
    if (!longest || curve.points.size() > longest->points.size()) longest = &curve;
  }
  if (longest) panel.series.push_back(slope_line(spec.slope, *longest));
  return {config.name + "-level-curve",
          fmt::format("{} at which the mean is {}, against the step size.", key_name(spec), spec.level->text()),
          {panel}};
}

}  // namespace

Artifacts IterationCounts::present(const Config& config, const Result& result) const {
  Artifacts artifacts;
  artifacts.tables.push_back(count_table(*this, config, result.runs));
  for (const RunCounts& run : result.runs)
    if (run.status != StatusCode::ok)
      artifacts.notes.push_back(fmt::format("{}: {} - {}", run.label, to_string(run.status), run.cause));
  if (!histograms.empty()) artifacts.figures.push_back(histogram_figure(*this, config, result.runs));
  if (Figure figure = mean_figure(*this, config, result.families); !figure.panels[0].series.empty())
    artifacts.figures.push_back(std::move(figure));
  if (!level) return artifacts;
  for (const Family& family : result.families) add_notes(*this, family, artifacts.notes);
  artifacts.tables.push_back(level_table(*this, config, result.families));
  if (Figure figure = level_figure(*this, config, result.families); !figure.panels[0].series.empty())
    artifacts.figures.push_back(std::move(figure));
  return artifacts;
}

}  // namespace daelab
