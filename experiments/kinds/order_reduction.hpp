// The result of the experiment `order-reduction`: observed orders as a problem turns stiff, or on other formulations.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/measures/observed_orders.hpp"
#include "results/members.hpp"

namespace daelab {

struct OrderReductionResult {
  /// Orders that theory expects at both ends of |L| h.
  struct Limits {
    std::optional<double> classical, stiff;  // |L| h -> 0 and -> infinity; nothing where theory is silent
    std::string source;
  };
  std::string failure;  // why there are no errors; "": there are
  std::vector<OrderSeries> series;
  std::vector<std::optional<Limits>> limits;  // one per series; nothing where the series differ in no stiffness
};

/// {"failure", "series": those of `convergence` with "limits" and "local_orders"}: what claims point into.
void members(JsonMembers& json, OrderReductionResult& result);

}  // namespace daelab
