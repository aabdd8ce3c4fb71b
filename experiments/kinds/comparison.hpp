// The result of the experiment `comparison`: the same runs carried out in several ways, side by side.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/order_estimate.hpp"
#include "core/base/status.hpp"
#include "results/members.hpp"

namespace daelab {

struct ComparisonResult {
  /// What became of a run in one way.
  struct Outcome {
    StatusCode status = StatusCode::ok;
    std::string cause;
    Scalar scalar = Scalar::binary64;
    std::optional<double> error, cost;  // nothing of failed runs
  };
  struct Row {
    std::string label;
    Json spec;                            // without the keys in which the ways differ
    std::map<std::string, Outcome> ways;  // by the label of the way
  };
  /// A way beside the first one, over the runs that succeeded in both.
  struct Relative {
    std::string way;
    int pairs = 0, lost = 0, gained = 0;  // lost, gained: error known there only, here only
    double largest_error = 0, mean_cost = 0;
  };
  /// How far a way ends from the first, ~ h^p over rows that differ in their step size alone.
  struct Difference {
    std::string way;
    Json spec;  // of the rows, without the step size
    OrderEstimate order;
  };
  std::vector<std::string> ways;
  std::vector<Row> rows;
  std::vector<Relative> relative;
  std::vector<Difference> differences;
};

/// {"rows", "relative": {WAY: {"pairs", "mean_cost", ...}}, "series": the differences, "ways"}: what claims point into.
void members(JsonMembers& json, ComparisonResult& result);

}  // namespace daelab
