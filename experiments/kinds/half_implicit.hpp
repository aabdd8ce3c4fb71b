// The result of the experiment `half-implicit`: corrections that Euler steps of constrained bodies take.
#pragma once

#include <string>
#include <vector>

#include "core/base/status.hpp"
#include "results/members.hpp"

namespace daelab {

/// What is stored of a run.
struct BodyStepsRecord {
  StatusCode status = StatusCode::ok;
  std::string cause;
  long iterations = 0;   // of all steps
  double intervals = 0;  // steps of the time axis; a lead does not make all of them
  long driver_changes = 0;
  double largest_violation = 0;          // of the constraints
  std::vector<double> r, v, omega = {};  // at the end, body after body

  double mean() const { return static_cast<double>(iterations) / intervals; }
};
void members(JsonMembers& json, BodyStepsRecord& record);

struct HalfImplicitResult {
  struct Entry {
    std::string label;
    Json spec;
    BodyStepsRecord record;
  };
  std::vector<Entry> series;
};

/// {"series": [{"label", "spec", "mean", "iterations", ...}]}: what claims point into.
void members(JsonMembers& json, HalfImplicitResult& result);

}  // namespace daelab
