// The result of the experiment `bdf-limits`: zero-stable growth of the step and instability on the imaginary axis.
#pragma once

#include <map>
#include <vector>

#include "analysis/bdf_limits.hpp"
#include "results/members.hpp"

namespace daelab {

struct BdfLimitsResult {
  std::vector<BdfLimits> orders;
  std::map<int, InstabilityTest> tests;  // of orders with a threshold, by order
};

void members(JsonMembers& json, BdfInstability& instability);

/// {"series": [{"spec": {"k"}, "from", "missed_growth"}], "orders"}: claims point into the series, of orders with a
/// threshold.
void to_json(Json& json, const BdfLimitsResult& result);
/// Reads only what to_json writes; otherwise throws Json::exception.
void from_json(const Json& json, BdfLimitsResult& result);

}  // namespace daelab
