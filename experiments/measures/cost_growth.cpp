#include "experiments/measures/cost_growth.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/line_fit.hpp"

namespace daelab {

std::optional<CostGrowth> growth_of(const std::vector<double>& values, const std::vector<double>& costs) {
  std::vector<double> used, x, y;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (costs[i] > 0 && std::isfinite(costs[i]))
      used.push_back(values[i]), x.push_back(std::log(values[i])), y.push_back(std::log(costs[i]));
  const std::size_t fitted = std::max<std::size_t>(3, (x.size() + 1) / 2);
  if (x.size() < fitted) return std::nullopt;
  const std::size_t first = x.size() - fitted;
  const FittedLine line = fit_line(x, y, first, x.size());
  return CostGrowth{line.slope, slope_half_width(line), used[first], static_cast<int>(fitted)};
}

Fit growth_fit(const CostGrowth& growth, const std::vector<double>& values) {
  Fit fit{growth.exponent, growth.half_width, {}};
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i] >= growth.from) fit.points.push_back(i);
  return fit;
}

void members(JsonMembers& json, CostGrowth& growth) {
  json("exponent", growth.exponent)("half_width", growth.half_width)("from", growth.from)("points", growth.points);
}

}  // namespace daelab
