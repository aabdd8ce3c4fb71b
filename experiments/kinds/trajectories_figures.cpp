// Tables and figures of trajectories, from their result.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/kinds/trajectories.hpp"
#include "results/record_values.hpp"

namespace daelab {
namespace {

// ----- tables -----

Table difference_table(const DifferenceTable& spec, const Config& config, const Trajectories::Differences& differences,
                       const std::vector<Trajectories::RunRow>& runs) {
  const std::string caption = spec.caption.empty() ? config.title + "." : spec.caption;
  Table table{spec.id,
              fmt::format("{} Largest difference to {} over all samples up to the time given.", caption,
                          differences.relative_to),
              {{"Run", "", CellFormat::text, 0}, {"Component", "", CellFormat::text, 0}},
              {}};
  for (const Exact& limit : differences.limits)
    table.columns.push_back(
        {fmt::format("t ≤ {} s", limit.text()), fmt::format("$t \\le {}$ s", limit.text()), CellFormat::scientific, 3});
  for (const Trajectories::Difference& difference : differences.list) {
    TableRow row{runs[difference.run].label, difference.label};
    for (const auto& largest : difference.largest) row.push_back(largest);
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table jump_table(const Config& config, const std::vector<Trajectories::RunRow>& runs) {
  Table table{config.name + "-spikes",
              config.title +
                  ". Largest change from one step to the next, where it happens, and relative to the "
                  "largest value of the same components.",
              {{"Run", "", CellFormat::text, 0},
               {"Component", "", CellFormat::text, 0},
               {"Largest jump", "", CellFormat::scientific, 4},
               {"t [s]", "$t$ [s]", CellFormat::scientific, 4},
               {"Largest value", "", CellFormat::scientific, 4},
               {"Jump / value", "", CellFormat::fixed, 3}},
              {}};
  for (const Trajectories::RunRow& run : runs)
    for (const auto& [component, jump] : run.jumps)
      table.rows.push_back({run.label, component, jump.size, jump.at, jump.magnitude, jump.relative()});
  return table;
}

// ----- figures -----

Series series_of_steps(const Trajectories::Curve& curve, const std::string& component) {
  Series series;
  series.file = curve.file, series.x_column = "t", series.y_column = component;
  return series;
}

Series series_of_samples(const Trajectories::Curve& curve, bool log_y) {
  Series series;
  for (std::size_t i = 0; i < curve.t.size(); ++i) {
    const double y = curve.x[i];
    if (log_y && y == 0) continue;
    series.x.push_back(curve.t[i]);
    series.y.push_back(log_y ? std::abs(y) : y);
  }
  return series;
}

Panel curve_panel(const CurvePanel& spec, const std::vector<Trajectories::Curve>& curves) {
  Panel panel;
  panel.x_label = "time [s]", panel.y_label = spec.y_label, panel.log_y = spec.log_y;
  const bool several =
      std::ranges::any_of(curves, [&](const Trajectories::Curve& c) { return c.run != curves.front().run; });
  for (const Trajectories::Curve& curve : curves) {
    Series series =
        spec.steps ? series_of_steps(curve, spec.components[curve.component]) : series_of_samples(curve, spec.log_y);
    if (several || !spec.marks.empty()) series.label = curve.run;
    if (spec.components.size() > 1) series.label += (series.label.empty() ? "" : ", ") + spec.label(curve.component);
    panel.series.push_back(std::move(series));
  }
  for (const MarkSpec& mark : spec.marks) panel.series.push_back(mark_point(mark));
  return panel;
}

}  // namespace

Artifacts Trajectories::present(const Config& config, const Result& result) const {
  Artifacts artifacts;
  for (const RunRow& run : result.runs)
    if (run.status != StatusCode::ok)
      artifacts.notes.push_back(fmt::format("{}: {} - {}", run.label, to_string(run.status), run.cause));
  for (std::size_t i = 0; i < tables.size(); ++i)
    artifacts.tables.push_back(difference_table(tables[i], config, result.tables[i], result.runs));
  if (!jumps.empty()) artifacts.tables.push_back(jump_table(config, result.runs));
  for (std::size_t f = 0; f < figures.size(); ++f) {
    Figure& figure = artifacts.figures.emplace_back(Figure{figures[f].id, figures[f].caption, {}});
    for (std::size_t p = 0; p < figures[f].panels.size(); ++p)
      figure.panels.push_back(curve_panel(figures[f].panels[p], result.figures[f][p]));
  }
  return artifacts;
}

}  // namespace daelab
