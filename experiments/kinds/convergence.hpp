// The result of the experiment `convergence`: errors at the end time over step sizes, and the orders observed.
#pragma once

#include <string>
#include <vector>

#include "experiments/measures/observed_orders.hpp"

namespace daelab {

struct ConvergenceResult {
  std::string failure;              // why there are no errors; "": there are
  std::vector<OrderSeries> series;  // runs that differ in h alone
};

void to_json(Json& json, const ConvergenceResult& result);
/// Reads only what to_json writes; otherwise throws Json::exception.
void from_json(const Json& json, ConvergenceResult& result);

}  // namespace daelab
