#include "experiments/measures/level_curve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "analysis/students_t.hpp"
#include "core/base/interval_text.hpp"

namespace daelab {
namespace {

PowerLaw power_law(const LevelCurve& curve) {
  PowerLaw law;
  const std::vector<LevelPoint>& points = curve.points;
  const std::size_t n = points.size();
  if (n < 2) return law;
  std::vector<double> log_h;
  for (const LevelPoint& point : points) log_h.push_back(std::log(point.h.as<double>()));
  double mean = 0, S_xx = 0, S_xy = 0, squares = 0;
  for (const double x : log_h) mean += x / static_cast<double>(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double x = log_h[i] - mean;
    S_xx += x * x, S_xy += x * std::log(points[i].key);
  }
  law.order = S_xy / S_xx, law.coefficient = curve.mean_factor(law.order);
  if (n < 3) return law;
  for (std::size_t i = 0; i < n; ++i)
    squares += std::pow(std::log(points[i].key / law.coefficient) - law.order * log_h[i], 2);
  const double freedom = static_cast<double>(n - 2);
  law.half_width = students_t_quantile(freedom, 0.975) * std::sqrt(squares / freedom / S_xx);
  return law;
}

// Slopes of the monotone cubic through the points: harmonic means of neighbouring secants, zero at extrema
// (Fritsch and Butland 1984). Straight data stay straight.
double monotone_slope(const std::vector<double>& x, const std::vector<double>& y, std::size_t k) {
  const auto secant = [&](std::size_t i) { return (y[i + 1] - y[i]) / (x[i + 1] - x[i]); };
  if (k == 0) return secant(0);
  if (k + 1 == x.size()) return secant(k - 1);
  const double before = secant(k - 1), after = secant(k);
  return before * after > 0 ? 2 * before * after / (before + after) : 0;
}

// The place between x_i and x_(i+1) where that cubic takes the value `level`, which lies between y_i and y_(i+1).
double crossing(const std::vector<double>& x, const std::vector<double>& y, std::size_t i, double level) {
  const double width = x[i + 1] - x[i], a = width * monotone_slope(x, y, i), b = width * monotone_slope(x, y, i + 1);
  const auto cubic = [&](double s) {
    return (1 + 2 * s) * (1 - s) * (1 - s) * y[i] + s * (1 - s) * (1 - s) * a + s * s * (3 - 2 * s) * y[i + 1] -
           s * s * (1 - s) * b;
  };
  double low = 0, high = 1;
  for (int halving = 0; halving < 60; ++halving) {
    const double middle = (low + high) / 2;
    ((cubic(middle) >= level) == (y[i] >= level) ? low : high) = middle;
  }
  return x[i] + width * (low + high) / 2;
}

// The largest value of the key at which the mean passes through the level.
std::optional<double> key_at(const Sweep& sweep, double level) {
  std::vector<double> x;
  for (const double key : sweep.key) x.push_back(std::log(key));
  for (std::size_t i = 0; i + 1 < x.size(); ++i)
    if ((sweep.mean[i] >= level) != (sweep.mean[i + 1] >= level)) return std::exp(crossing(x, sweep.mean, i, level));
  return std::nullopt;
}

}  // namespace

std::string LevelCurve::statement() const {
  const std::size_t n = points.size();
  if (n < 3) return fmt::format("undecided: {} point{}, at least 3 are needed", n, n == 1 ? "" : "s");
  const std::string order =
      fmt::format("p = {} from {} points", interval_text(law.order, std::max(0.01, law.half_width)), n);
  return law.decided() ? order : "undecided: the points scatter too much, " + order;
}

double LevelCurve::mean_factor(double p) const {
  double sum = 0;
  for (const LevelPoint& point : points) sum += std::log(point.key) - p * std::log(point.h.as<double>());
  return std::exp(sum / static_cast<double>(points.size()));
}

LevelCurve level_curve(const std::vector<Sweep>& sweeps, double level) {
  LevelCurve curve;
  for (const Sweep& sweep : sweeps)
    if (const auto key = key_at(sweep, level))
      curve.points.push_back({sweep.h, *key});
    else
      curve.missing.push_back(sweep.h.text());
  curve.law = power_law(curve);
  return curve;
}

}  // namespace daelab
