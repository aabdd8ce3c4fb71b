#include "experiments/figure_spec.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace daelab {

Options PanelSpec::options() {
  return {option("x", x, "column of the trajectory on the x axis"),
          option("y", y, "columns on the y axis, a curve each"),
          option("x_label", x_label, "axis label with unit"),
          option("y_label", y_label, "axis label with unit"),
          option("log_y", log_y, "logarithmic y axis"),
          option("equal_axes", equal_axes, "same scale on both axes")};
}

Options TrajectoryFigureSpec::options() {
  return {option("id", id, "file stem"),
          option("caption", caption, "what is shown, and how it was made"),
          option("runs", runs, "labels of the runs shown; empty: all that store a trajectory"),
          option("panels", panels, "axes, stacked")};
}

namespace {

std::string plain(std::string column) {
  std::replace(column.begin(), column.end(), '_', ' ');
  return column;
}

std::vector<LabelledRun> selected_runs(const TrajectoryFigureSpec& spec, const std::vector<LabelledRun>& runs,
                                       const std::string& where) {
  std::vector<LabelledRun> selected;
  std::vector<std::string> labels;
  for (const LabelledRun& run : runs)
    if (!run.trajectory.empty()) labels.push_back(run.label);
  for (const std::string& wanted : spec.runs)
    if (std::find(labels.begin(), labels.end(), wanted) == labels.end())
      throw InputError(where + "/runs", fmt::format("no run '{}' with a trajectory; there are: {}", wanted,
                                                    fmt::join(labels, "; ")));
  for (const LabelledRun& run : runs) {
    const bool named = std::find(spec.runs.begin(), spec.runs.end(), run.label) != spec.runs.end();
    if (!run.trajectory.empty() && (spec.runs.empty() || named)) selected.push_back(run);
  }
  return selected;
}

}  // namespace

Figure trajectory_figure(const TrajectoryFigureSpec& spec, const std::vector<LabelledRun>& runs,
                         const std::string& where) {
  const std::vector<LabelledRun> shown = selected_runs(spec, runs, where);
  Figure figure{spec.id, spec.caption, {}};
  for (const PanelSpec& panel_spec : spec.panels) {
    Panel panel;
    panel.x_label = panel_spec.x_label, panel.y_label = panel_spec.y_label;
    panel.log_y = panel_spec.log_y, panel.equal_axes = panel_spec.equal_axes;
    for (const LabelledRun& run : shown)
      for (const std::string& column : panel_spec.y) {
        Series series;
        if (shown.size() > 1) series.label = run.label;
        if (panel_spec.y.size() > 1) series.label += (series.label.empty() ? "" : ", ") + plain(column);
        series.file = run.trajectory, series.x_column = panel_spec.x, series.y_column = column;
        panel.series.push_back(std::move(series));
      }
    figure.panels.push_back(std::move(panel));
  }
  return figure;
}

}  // namespace daelab
