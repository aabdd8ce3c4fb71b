#include "experiments/measures/figure_spec.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "core/integration/observers.hpp"
#include "core/mechanism/problem.hpp"
#include "lab/runs/labels.hpp"

namespace daelab {

Options MarkSpec::options() {
  return {option("label", label, "name in the legend"), option("x", x, "place"), option("y", y, "place"),
          option("shape", shape, "of the point; points: that of its place in the legend",
                 one_of({"points", "circle", "star"}))};
}

Series mark_point(const MarkSpec& mark) {
  Series point;
  point.label = mark.label;
  point.style = static_cast<CurveStyle>(read_choice(mark.shape, "/shape", one_of(names_of(CurveStyle{}))));
  point.x = {mark.x.as<double>()}, point.y = {mark.y.as<double>()};
  return point;
}

Options PanelSpec::options() {
  return {option("x", x, "column of the trajectory on the x axis"),
          option("y", y, "columns on the y axis, a curve each"),
          option("labels", labels, "their names in the legend; empty: as the columns"),
          option("x_label", x_label, "axis label with unit"),
          option("y_label", y_label, "axis label with unit"),
          option("log_y", log_y, "logarithmic y axis"),
          option("equal_axes", equal_axes, "same scale on both axes"),
          option("marks", marks, "points drawn beside the curves, such as printed values")};
}

Options TrajectoryFigureSpec::options() {
  return {option("id", id, "file stem"), option("caption", caption, "what is shown, and how it was made"),
          option("runs", runs, "labels of the runs shown; empty: all that store a trajectory"),
          option("panels", panels, "axes, stacked")};
}

namespace {

std::string plain(std::string column) {
  std::replace(column.begin(), column.end(), '_', ' ');
  return column;
}

std::string curve_name(const PanelSpec& panel, std::size_t i) {
  return panel.labels.empty() ? plain(panel.y[i]) : panel.labels[i];
}

void check_column(const std::string& column, const std::vector<std::string>& known, const std::string& where) {
  if (std::find(known.begin(), known.end(), column) != known.end()) return;
  throw InputError(where, fmt::format("no column '{}'{} (columns: {})", column, did_you_mean(column, known),
                                      fmt::join(known, ", ")));
}

std::vector<std::string> columns_of(const Run& run) { return trajectory_columns(*run.problem().model(As<double>{})); }

void check_panel(const PanelSpec& panel, const std::vector<std::string>& columns, const std::string& where) {
  if (panel.y.empty()) throw InputError(where + "/y", "names no column");
  check_column(panel.x, columns, where + "/x");
  for (std::size_t i = 0; i < panel.y.size(); ++i) check_column(panel.y[i], columns, fmt::format("{}/y/{}", where, i));
  if (!panel.labels.empty() && panel.labels.size() != panel.y.size())
    throw InputError(where + "/labels", fmt::format("{} names for {} columns", panel.labels.size(), panel.y.size()));
}

}  // namespace

void check_figure_id(const std::string& id, std::set<std::string>& used, const std::string& where) {
  if (id.empty()) throw InputError(where + "/id", "is missing: the stem of the figure's files");
  if (!std::ranges::all_of(
          id, [](unsigned char c) { return c < 128 && (std::isalnum(c) || c == '.' || c == '_' || c == '-'); }) ||
      id.starts_with('.') || id.starts_with('-') || id.size() > 100)
    throw InputError(where + "/id",
                     fmt::format("'{}' cannot be the stem of files; allowed: letters, digits, '.', '_' and "
                                 "'-', not first, at most 100",
                                 id));
  if (!used.insert(id).second)
    throw InputError(where + "/id", "another figure of this config is also called '" + id + "'");
}

bool is_shown(const std::vector<std::string>& named, const std::string& label) {
  return named.empty() || std::ranges::find(named, label) != named.end();
}

void check_trajectory_figure(const TrajectoryFigureSpec& spec, const Config& config, const std::string& where) {
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < config.runs.size(); ++i)
    if (config.runs[i]->makes_trajectory()) labels.push_back(config.labels[i]);
  if (labels.empty()) throw InputError(where, "no run stores a trajectory: set \"trajectory\": 1");
  for (const std::string& wanted : spec.runs)
    if (std::find(labels.begin(), labels.end(), wanted) == labels.end())
      throw InputError(where + "/runs",
                       fmt::format("no run '{}' with a trajectory; there are: {}", wanted, fmt::join(labels, "; ")));
  if (spec.panels.empty()) throw InputError(where + "/panels", "is missing: a list of axes");
  for (std::size_t i = 0; i < config.runs.size(); ++i) {
    if (!config.runs[i]->makes_trajectory() || !is_shown(spec.runs, config.labels[i])) continue;
    const std::vector<std::string> columns = columns_of(integration(config, i));
    for (std::size_t p = 0; p < spec.panels.size(); ++p)
      check_panel(spec.panels[p], columns, fmt::format("{}/panels/{}", where, p));
  }
}

Figure trajectory_figure(const TrajectoryFigureSpec& spec, const std::vector<StoredTrajectory>& runs) {
  std::vector<StoredTrajectory> shown;
  for (const StoredTrajectory& run : runs)
    if (is_shown(spec.runs, run.label)) shown.push_back(run);
  Figure figure{spec.id, spec.caption, {}};
  for (const PanelSpec& panel_spec : spec.panels) {
    Panel panel;
    panel.x_label = panel_spec.x_label, panel.y_label = panel_spec.y_label;
    panel.log_y = panel_spec.log_y, panel.equal_axes = panel_spec.equal_axes;
    for (const StoredTrajectory& run : shown)
      for (std::size_t i = 0; i < panel_spec.y.size(); ++i) {
        Series series;
        if (shown.size() > 1) series.label = run.label, series.factors = run.factors;
        if (panel_spec.y.size() > 1 || !panel_spec.labels.empty()) add_component(series, curve_name(panel_spec, i));
        series.file = run.file, series.x_column = panel_spec.x, series.y_column = panel_spec.y[i];
        panel.series.push_back(std::move(series));
      }
    for (const MarkSpec& mark : panel_spec.marks) panel.series.push_back(mark_point(mark));
    figure.panels.push_back(std::move(panel));
  }
  return figure;
}

void members(JsonMembers& json, StoredTrajectory& trajectory) {
  json("label", trajectory.label)("file", trajectory.file)("factors", trajectory.factors);
}

}  // namespace daelab
