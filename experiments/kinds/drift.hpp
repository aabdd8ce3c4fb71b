// The result of the experiment `drift`: energy errors and constraint violations, and how they grow with the end time.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/invariant_growth.hpp"
#include "analysis/order_estimate.hpp"
#include "core/base/status.hpp"
#include "experiments/measures/figure_spec.hpp"
#include "results/run_record.hpp"

namespace daelab {

struct DriftResult {
  /// How the error of an invariant grows along one run, where the run watches it and ended well.
  struct Verdict {
    std::string invariant;
    long steps = 0;
    double largest = 0;  // |error| over all steps, in the unit of the invariant
    GrowthVerdict growth = {};
  };
  struct Row {
    std::string label;
    StatusCode status = StatusCode::ok;
    std::string cause;
    Scalar scalar = Scalar::binary64;
    Maxima max;                        // over step ends: energy [J], constraints in their units
    std::optional<double> error_of_q;  // at the end time, infinity norm
    long newton_iterations = 0;
    RunTime time = {};
    std::vector<Verdict> verdicts = {};
  };
  /// Largest value ~ length^p over runs that differ in their end time alone, three at least.
  struct Growth {
    std::string label;
    Json spec;                                // without the end time
    std::map<std::string, OrderEstimate> of;  // energy_error, position_constraint, velocity_constraint
  };
  std::vector<Row> runs;
  std::vector<Growth> growth;
  std::vector<StoredTrajectory> trajectories;
};

/// A run that watches no invariants has no "verdicts".
/// {"runs", "series": [{"label", "spec", "growth"}], "trajectories"}: claims point into the series.
void members(JsonMembers& json, DriftResult& result);

}  // namespace daelab
