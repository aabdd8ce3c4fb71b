// Trajectories: components of the motion over time from stored samples or steps, how far runs are from one another, and
// how far they jump from step to step.
//
// Accelerations and multipliers of samples follow from their positions and velocities; what a method itself makes of
// them, spikes on index 3 above all [Ren20, sec. 3], is in the trajectory of its steps.
//
// [Ren20] Ren, Zhou, Journal of Dynamics and Control, 2020, doi 10.6052/1672-6553-2020-098.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/status.hpp"
#include "experiments/measures/figure_spec.hpp"
#include "results/members.hpp"

namespace daelab {

/// What a panel or table shows.
struct Selection {
  std::vector<std::string> components, labels, runs;
  std::string relative_to;

  std::vector<Option> list();
  const std::string& label(std::size_t c) const { return labels.empty() ? components[c] : labels[c]; }
};

struct CurvePanel : Selection {
  std::string y_label;
  bool log_y = false, steps = false;
  std::vector<MarkSpec> marks;

  Options options();
};

struct CurveFigure {
  std::string id, caption;
  std::vector<CurvePanel> panels;

  Options options();
};

struct DifferenceTable : Selection {
  std::string id, caption;
  std::vector<Exact> until;

  Options options();
};

struct Trajectories {
  static constexpr const char* name = "trajectories";
  static constexpr const char* summary =
      "Components of the motion over time, the largest differences between runs, and jumps from step to step.";
  static constexpr const char* source = "Wang, Zhao, Pan, figures 2 and 3; Ren, Zhou 2020, figures 3 and 6";
  static MemberUnits units() { return {{"/series/*/jump_times/*", "s"}, {"/figures/*/*/*/t", "s"}}; }

  std::vector<CurveFigure> figures;
  std::vector<DifferenceTable> tables;
  std::vector<std::string> jumps;

  Options options();
  void check(const Config& config) const;

  /// The largest change from one step to the next, in the unit of the component.
  struct Jump {
    double size = NAN, at = NAN;  // `at`: the end of the step [s]
    double magnitude = NAN;       // largest |x|

    double relative() const { return size / magnitude; }
  };
  struct RunRow {
    std::string label;
    StatusCode status = StatusCode::ok;
    std::string cause;
    Json spec;
    std::vector<std::pair<std::string, Jump>> jumps;  // by component or class
  };
  /// A component of a run against the one it is compared with.
  struct Difference {
    std::size_t run;  // its place
    std::string component, label;
    std::vector<std::optional<double>> largest;  // up to each time limit; nothing where the samples end before it
  };
  struct Differences {
    std::string id, relative_to;  // of the table; in words
    std::vector<Exact> limits;
    std::vector<Difference> list;
  };
  /// A component of a run over time: samples, or a file of steps.
  struct Curve {
    std::string run;
    std::size_t component;     // place in the components of the panel
    std::vector<double> t, x;  // [s], and the component or its difference
    std::string file;
  };
  struct Result {
    std::vector<RunRow> runs;
    std::vector<Differences> tables;
    std::vector<std::vector<std::vector<Curve>>> figures;  // curves of each panel of each figure
  };

  Result evaluate(const Config& config, const std::vector<FinishedRun>& runs, const FinishedRun* reference) const;
  Artifacts present(const Config& config, const Result& result) const;
};

using TrajectoriesResult = Trajectories::Result;

/// {"series": [{"label", "spec", "status", "differences", "jumps", "magnitudes", "relative_jumps", ...}], "tables",
/// "figures"}: claims point into the series.
void members(JsonMembers& json, TrajectoriesResult& result);

}  // namespace daelab
