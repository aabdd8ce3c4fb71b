#include "analysis/line_fit.hpp"

#include <cmath>
#include <numeric>

#include "analysis/students_t.hpp"

namespace daelab {

FittedLine fit_line(const std::vector<double>& x, const std::vector<double>& y, std::size_t first, std::size_t last) {
  const double n = static_cast<double>(last - first);
  const double x_mean = std::accumulate(x.begin() + first, x.begin() + last, 0.0) / n;
  const double y_mean = std::accumulate(y.begin() + first, y.begin() + last, 0.0) / n;
  FittedLine line;
  double S_xy = 0;
  for (std::size_t i = first; i < last; ++i) {
    line.S_xx += (x[i] - x_mean) * (x[i] - x_mean);
    S_xy += (x[i] - x_mean) * (y[i] - y_mean);
  }
  line.slope = S_xy / line.S_xx;
  line.intercept = y_mean - line.slope * x_mean;
  for (std::size_t i = first; i < last; ++i) {
    line.residuals.push_back(y[i] - line.at(x[i]));
    line.square_sum += line.residuals.back() * line.residuals.back();
  }
  return line;
}

double slope_half_width(const FittedLine& line) {
  const double freedom = static_cast<double>(line.residuals.size()) - 2;
  const double t = students_t_quantile(freedom, 0.975);
  return t * std::sqrt(line.square_sum / freedom / line.S_xx);
}

}  // namespace daelab
