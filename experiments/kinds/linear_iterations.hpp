// The result of the experiment `linear-iterations`: properties of the symmetric rank-one iteration on linear problems.
#pragma once

#include <string>
#include <vector>

#include "core/base/status.hpp"
#include "experiments/measures/linear_series.hpp"

namespace daelab {

struct LinearIterationsResult {
  struct Failure {
    std::string label;
    StatusCode status = StatusCode::ok;
    std::string cause;
  };
  std::vector<LinearSeries> series;
  std::vector<Failure> failures;
};

/// {"series", "failures"}: claims point into the series.
void members(JsonMembers& json, LinearIterationsResult& result);

}  // namespace daelab
