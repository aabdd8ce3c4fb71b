// The result of the experiment `stability-interval`: how far along the negative real axis explicit methods are stable.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/negative_axis.hpp"
#include "core/base/json.hpp"
#include "core/base/status.hpp"
#include "results/run_record.hpp"

namespace daelab {

/// What is stored of a method.
struct IntervalRecord {
  StatusCode status = StatusCode::ok;
  std::string cause;
  std::optional<NegativeAxis> axis;  // where the status is ok

  bool ok() const { return status == StatusCode::ok; }
};
void members(JsonMembers& json, IntervalRecord& record);

struct StabilityIntervalResult {
  struct Entry {
    std::string label, entry_label;
    IntervalRecord record;
    Json spec;
    std::string key;
    std::optional<double> law;  // length of theory for as many stages
  };
  std::vector<Entry> series;
};

/// {"series"}: what claims point into.
void members(JsonMembers& json, StabilityIntervalResult& result);

}  // namespace daelab
