#include "report/layout/curve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>
#include <utility>

#include "results/csv.hpp"

namespace daelab {
namespace {

// Ranges and their margins have to stay finite too, hence not the last decades of double.
bool drawable(double value, bool log) {
  constexpr double largest = 1e300, least = 1e-300;
  return std::abs(value) <= largest && (!log || value >= least);
}

// Empty where the fit used all points, or there is none.
std::vector<bool> left_out_of_fit(const Series& series, std::size_t points) {
  if (!series.fit) return {};
  std::vector<bool> left_out(points, true);
  for (const std::size_t i : series.fit->points) {
    if (i >= points) throw InputError(fmt::format("curve '{}': a fit to point {} of {}", series.label, i, points));
    left_out[i] = false;
  }
  return std::ranges::find(left_out, true) == left_out.end() ? std::vector<bool>() : left_out;
}

}  // namespace

bool is_points(CurveStyle style) {
  return style == CurveStyle::points || style == CurveStyle::circle || style == CurveStyle::star;
}

Curve load_curve(const Series& series, const Panel& panel, const std::string& result_dir) {
  std::vector<double> x = series.x, y = series.y;
  if (!series.file.empty()) {
    const std::string path = (std::filesystem::path(result_dir) / series.file).string();
    auto columns = read_csv_columns(path, {series.x_column, series.y_column});
    x = std::move(columns[0]), y = std::move(columns[1]);
  }
  if (x.size() != y.size())
    throw InputError(fmt::format("curve '{}': {} x values, {} y values", series.label, x.size(), y.size()));
  Curve curve;
  curve.label = series.label;
  curve.style = series.style, curve.factors = series.factors;
  curve.fit = series.fit, curve.floor = series.floor;
  const std::vector<bool> left_out = left_out_of_fit(series, x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (drawable(x[i], panel.log_x) && drawable(y[i], panel.log_y)) {
      curve.x.push_back(x[i]);
      curve.y.push_back(y[i]);
      if (!left_out.empty()) curve.left_out.push_back(left_out[i]);
    } else {
      ++curve.skipped;
    }
  }
  curve.total = curve.x.size();
  if (curve.style != CurveStyle::filled) thin(curve, most_points_per_curve);  // parts of a region must stay closed
  return curve;
}

void thin(Curve& curve, std::size_t most_points) {
  const std::size_t n = curve.x.size();
  if (n <= most_points) return;
  curve.left_out.clear();  // cannot be seen among so many
  // Each stretch keeps up to six points: its ends and its four extremes.
  const std::size_t stretches = std::max<std::size_t>(1, most_points / 6);
  std::vector<double> x, y;
  for (std::size_t s = 0; s < stretches; ++s) {
    const std::size_t begin = n * s / stretches, end = n * (s + 1) / stretches;
    const auto [x_min, x_max] = std::minmax_element(curve.x.begin() + begin, curve.x.begin() + end);
    const auto [y_min, y_max] = std::minmax_element(curve.y.begin() + begin, curve.y.begin() + end);
    const auto at = [](const auto& from, const auto& to) { return static_cast<std::size_t>(to - from); };
    const std::set<std::size_t> kept = {begin,
                                        end - 1,
                                        at(curve.x.begin(), x_min),
                                        at(curve.x.begin(), x_max),
                                        at(curve.y.begin(), y_min),
                                        at(curve.y.begin(), y_max)};
    for (const std::size_t i : kept) {
      x.push_back(curve.x[i]);
      y.push_back(curve.y[i]);
    }
  }
  curve.x = std::move(x);
  curve.y = std::move(y);
}

}  // namespace daelab
