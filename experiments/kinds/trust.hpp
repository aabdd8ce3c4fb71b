// The result of the experiment `trust`: whether runs that end "ok" are right.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/exact.hpp"
#include "core/base/status.hpp"
#include "results/members.hpp"
#include "results/run_record.hpp"

namespace daelab {

struct TrustResult {
  struct Row {
    std::string label, group;     // group: label of the entry
    std::string problem, method;  // name; name and size, "radau-iia:s=3"
    std::string method_name;      // without the size
    std::string formulation;      // "index-3"
    Exact rtol;                   // relative tolerance
    StatusCode status = StatusCode::ok;
    std::string cause;
    std::optional<double> ratio;       // error over tolerance of runs that are ok, of what is controlled
    std::optional<double> ratio_of_a;  // the same of a and lambda
    std::vector<Warning> warnings;
    std::vector<std::string> reasons;  // of the config
    double cpu_seconds = 0;
    bool is_proved = false;  // the reference that it was measured by

    bool ok() const { return status == StatusCode::ok; }
    /// A warning speaks of accuracy.
    bool warned() const;
    bool is_explained() const { return warned() || !reasons.empty(); }
  };
  std::string failure;  // of the reference run
  double limit = 0;     // tolerances off
  std::vector<Row> rows;
  std::vector<std::string> idle;  // explanations whose runs are all within the limit

  bool beyond(const Row& row) const { return row.ratio && !(*row.ratio <= limit); }
  /// The runs that were measured, the worst first. They point into `rows`.
  std::vector<const Row*> worst() const;
};

/// {"runs", "ok", "beyond", "unexplained", "idle_explanations": numbers, "statuses", "worst": those beyond the limit,
/// "rows": all, ...}: what claims point into.
void members(JsonMembers& json, TrustResult& result);

}  // namespace daelab
