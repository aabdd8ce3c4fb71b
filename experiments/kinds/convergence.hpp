// The result of the experiment `convergence`: errors at the end time over step sizes, and the orders observed.
#pragma once

#include <string>
#include <vector>

#include "experiments/measures/observed_orders.hpp"
#include "results/members.hpp"

namespace daelab {

struct ConvergenceResult {
  std::string failure;              // why there are no errors; "": there are
  std::string norm;                 // "maximum, relative"; "": the usual one
  std::vector<OrderSeries> series;  // runs that differ in h alone
};

void members(JsonMembers& json, ConvergenceResult& result);

}  // namespace daelab
