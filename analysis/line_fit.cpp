#include "analysis/line_fit.hpp"

#include <cmath>
#include <numeric>
#include <unordered_map>

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

namespace {

// Thousands of lines have few different numbers of points, and a quantile takes as long as a fit.
double quantile_of_95_percent(double freedom) {
  thread_local std::unordered_map<double, double> known;
  const auto [place, is_new] = known.try_emplace(freedom);
  if (is_new) place->second = students_t_quantile(freedom, 0.975);
  return place->second;
}

}  // namespace

double slope_half_width(const FittedLine& line) {
  const double freedom = static_cast<double>(line.residuals.size()) - 2;
  return quantile_of_95_percent(freedom) * std::sqrt(line.square_sum / freedom / line.S_xx);
}

}  // namespace daelab
