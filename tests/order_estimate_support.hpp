// Errors at steps, as runs of a convergence study have them.
#pragma once

#include "analysis/order_estimate.hpp"

#include <functional>

namespace daelab {

// n points from h0 on, each h `ratio` times the one before.
inline std::vector<OrderPoint> sampled_errors(double h0, double ratio, int n,
                                              const std::function<double(double h, int i)>& error) {
  std::vector<OrderPoint> points;
  for (int i = 0; i < n; ++i) {
    const double h = h0 * std::pow(ratio, i);
    points.push_back(order_point(h, error(h, i)));
  }
  return points;
}

// Halved steps with these local slopes, as tables of convergence print them.
inline std::vector<OrderPoint> from_slopes(const std::vector<double>& slopes) {
  std::vector<OrderPoint> points = {order_point(0.02, 1e-3)};
  for (const double slope : slopes) {
    const auto [log_h, log_error] = points.back();
    points.push_back({log_h - std::log(2), log_error - slope * std::log(2)});
  }
  return points;
}

// A repeatable sequence in (-1, 1) that looks like round-off.
inline double repeatable_noise(int i) { return std::sin(12.9898 * (i + 1) * (i + 1)); }

}  // namespace daelab
