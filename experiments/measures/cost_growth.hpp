// Growth: the exponent p of cost = C value^p, by least squares on logarithms.
//
// Only the larger half of the values is fitted, and three at least: at small ones work that does not grow, as that of
// the step control, hides the exponent.
#pragma once

#include <optional>
#include <vector>

#include "results/artifacts.hpp"
#include "results/members.hpp"

namespace daelab {

struct CostGrowth {
  double exponent = 0, half_width = 0;  // 95 % of the scatter
  double from = 0;                      // the smallest value fitted
  int points = 0;
};

/// Of values in ascending order. Nothing where fewer than three have a cost above 0.
std::optional<CostGrowth> growth_of(const std::vector<double>& values, const std::vector<double>& costs);

/// As figures have it, with the places of the fitted points in a curve of these values.
Fit growth_fit(const CostGrowth& growth, const std::vector<double>& values);

/// {"exponent", "half_width", "from", "points"}
void members(JsonMembers& json, CostGrowth& growth);

}  // namespace daelab
