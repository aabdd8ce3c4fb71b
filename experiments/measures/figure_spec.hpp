// Figures a config asks for, as options structs.
#pragma once

#include <set>

#include "core/base/options.hpp"
#include "lab/runs/experiment.hpp"
#include "results/members.hpp"

namespace daelab {

/// A point drawn beside the curves, such as a printed value.
struct MarkSpec {
  std::string label;
  Exact x = 0, y = 0;
  std::string shape = "points";  // | circle | star

  Options options();
};

Series mark_point(const MarkSpec& mark);

/// One set of axes over trajectory columns: a curve per run and y column.
struct PanelSpec {
  std::string x = "t", x_label = "time [s]", y_label;
  std::vector<std::string> y, labels;
  bool log_y = false, equal_axes = false;
  std::vector<MarkSpec> marks;

  Options options();
};

struct TrajectoryFigureSpec {
  std::string id, caption;
  std::vector<std::string> runs;  // labels of the runs shown; empty: all with a trajectory
  std::vector<PanelSpec> panels;

  Options options();
};

/// Whether a figure or table that names the labels of what it shows, none for all, shows this one.
bool is_shown(const std::vector<std::string>& named, const std::string& label);

/// Throws InputError under `where` for a run or column that the config will not have.
void check_trajectory_figure(const TrajectoryFigureSpec& spec, const Config& config, const std::string& where);

/// A trajectory beside the results.
struct StoredTrajectory {
  std::string label, file;  // of the run; relative to the result set
  std::vector<Factor> factors = {};
};
void members(JsonMembers& json, StoredTrajectory& trajectory);
/// For the runs that have one.
std::vector<StoredTrajectory> trajectories_of(const auto& finished_runs) {
  std::vector<StoredTrajectory> list;
  for (const auto& run : finished_runs)
    if (!run.trajectory.empty()) list.push_back({run.label, run.trajectory, run.factors});
  return list;
}

/// Curves refer to the stored trajectories.
Figure trajectory_figure(const TrajectoryFigureSpec& spec, const std::vector<StoredTrajectory>& runs);

/// Throws InputError for an empty id, and for one used twice: figures are files.
void check_figure_id(const std::string& id, std::set<std::string>& used, const std::string& where);

}  // namespace daelab
