// The result of the experiment `battery`: orders of methods, measured on problems that hide no error of order six.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "analysis/order_estimate.hpp"
#include "core/base/scalar.hpp"
#include "core/base/status.hpp"
#include "experiments/measures/battery_items.hpp"
#include "lab/runs/experiment.hpp"
#include "results/members.hpp"

namespace daelab {

/// The order of a variable of an item.
struct BatteryOrder {
  std::string variable, property;  // property: of audits; "": of none
  OrderEstimate estimate;
  std::string from, to;  // steps of the asymptotic window [s]; "": there is none
};

/// A method on an item, in the scalar that decides the most.
struct BatteryMeasurement {
  Json method;
  std::string label, item, problem, formulation, scalar;  // label: of the method
  StatusCode status = StatusCode::ok;                     // ok where at least one run is
  std::string cause;
  std::string reference;
  std::vector<BatteryOrder> orders;  // none unless ok

  bool ok() const { return status == StatusCode::ok; }
};

struct BatteryResult {
  std::vector<BatteryMeasurement> measurements;
};

/// Orders are whole numbers: the one in the interval p ± 1/4 at most of an estimate, or next to p by 0.1 at most.
/// Errors that stand still or grow have the order 0. Nothing where no whole number is that near.
std::optional<int> whole_order(const OrderEstimate& estimate);

/// Of runs of a config of the experiment `battery`.
BatteryResult measure_battery(const Config& config, const std::vector<FinishedRun>& runs);

/// {"measurements": [{"method", "item", "status", "orders": [{"variable", "property", "order", "estimate", "from",
/// "to"}], ...}]}: what claims point into.
void members(JsonMembers& json, BatteryOrder& order);
void members(JsonMembers& json, BatteryMeasurement& measurement);
void members(JsonMembers& json, BatteryResult& result);

}  // namespace daelab
