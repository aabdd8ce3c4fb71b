// Figures a config asks for, as options structs.
#pragma once

#include "core/options.hpp"
#include "experiments/experiment.hpp"

namespace daelab {

/// One set of axes over trajectory columns: a curve per run and y column.
struct PanelSpec {
  std::string x = "t", x_label = "time [s]", y_label;
  std::vector<std::string> y;
  bool log_y = false, equal_axes = false;

  Options options();
};

struct TrajectoryFigureSpec {
  std::string id, caption;
  std::vector<std::string> runs;  // labels of the runs shown; empty: all with a trajectory
  std::vector<PanelSpec> panels;

  Options options();
};

/// Curves refer to the stored trajectories. Names a run or column that does not exist: InputError under
/// `where`.
Figure trajectory_figure(const TrajectoryFigureSpec& spec, const std::vector<LabelledRun>& runs,
                         const std::string& where);

}  // namespace daelab
