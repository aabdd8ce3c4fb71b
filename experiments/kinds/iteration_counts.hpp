// Iteration counts: mean and histogram of the passes of a multiplier solver, or of Newton iterations, over a grid of
// runs; and the curve on which the mean takes a given value (experiments/measures/level_curve.hpp), of the tolerance
// eps_abs against the step size, say. [Iv23, sec. 4: a mean of 1.994]
//
// [Iv23] Ivanov, Vestnik Permskogo Universiteta, Matematika Mekhanika Informatika 1(60), 2023, 30-46.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/status.hpp"
#include "experiments/measures/level_curve.hpp"
#include "lab/runs/experiment.hpp"
#include "results/members.hpp"
#include "results/run_record.hpp"

namespace daelab {

struct IterationCounts {
  static constexpr const char* name = "iteration-counts";
  static constexpr const char* summary =
      "Passes of the multiplier solver, or Newton iterations: mean and histogram per run; level curve of the mean.";
  static constexpr const char* source = "Ivanov 2023, sec. 4";

  static constexpr const char* multiplier_passes = "multiplier-passes";
  static constexpr const char* newton_iterations = "newton-iterations";
  static MemberUnits units() {
    return with_run_times("/series/*/time", {{"/families/*/sweeps/*/h", "s"}, {"/families/*/curve/points/*/h", "s"}});
  }

  std::string caption, count = multiplier_passes, vary, vary_label;
  std::optional<Exact> level;
  Exact slope = 2;
  std::vector<std::string> histograms;

  Options options();
  void validate(const std::string& where) const;
  void check(const Config& config) const;

  /// What a run counted.
  struct RunCounts {
    std::string label;
    Json spec;
    StatusCode status = StatusCode::ok;
    std::string cause;
    long solves = 0;                        // or steps
    std::optional<double> mean;             // nothing without any
    std::optional<SolveStatistics> passes;  // where they are what is counted
    RunTime time = {};

    std::optional<double> flops_per_solve() const;
    /// The most passes of any solve, up to the last bin of the histogram.
    long most() const;
  };
  /// Sweeps of the varied key that differ in the step size only.
  struct Family {
    Json spec;  // without both
    std::string label;
    std::vector<Sweep> sweeps;        // coarse to fine
    std::optional<LevelCurve> curve;  // where one is sought
  };
  struct Result {
    std::vector<RunCounts> runs;
    std::vector<Family> families;  // where a key is varied
    double slope = 0;              // expected of the level curves
  };

  Result evaluate(const Config& config, const std::vector<FinishedRun>& runs, const FinishedRun* reference) const;
  Artifacts present(const Config& config, const Result& result) const;

  /// The place of the level over h^slope.
  static double scaled(const LevelPoint& point, double slope);
};

using IterationCountsResult = IterationCounts::Result;

/// {"series": the runs, "statuses": how many runs ended how, "level_curves": [{"points", "exponent", ...}],
/// "families"}: what claims point into; "exponent" has the members of orders.
void members(JsonMembers& json, IterationCountsResult& result);

}  // namespace daelab
