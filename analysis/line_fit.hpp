// A straight line through points by least squares, and how well they know its slope.
#pragma once

#include <cstddef>
#include <vector>

namespace daelab {

/// y = intercept + slope x by least squares over the points [first, last).
struct FittedLine {
  double slope = 0, intercept = 0, S_xx = 0, square_sum = 0;
  std::vector<double> residuals;
  double at(double x) const { return intercept + slope * x; }
};

/// Needs two points of different x.
FittedLine fit_line(const std::vector<double>& x, const std::vector<double>& y, std::size_t first, std::size_t last);

/// 95 % half-width of the slope, by Student's distribution with n - 2 degrees of freedom: needs three points.
double slope_half_width(const FittedLine& line);

}  // namespace daelab
