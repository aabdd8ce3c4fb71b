#include "report/axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace daelab {
namespace {

// The smallest of 1, 2, 5 times a power of ten that needs at most `most_tics` steps.
double round_step(double span, int most_tics) {
  const double raw = span / most_tics;
  const double power = std::pow(10, std::floor(std::log10(raw)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= raw * (1 - 1e-9)) return factor * power;
  return 10 * power;
}

// Tics of a logarithmic axis that spans less than about a decade: 1, 2, 5 times powers of ten.
std::string short_log_tics(double lo, double hi, double& label_width) {
  std::string list;
  for (const auto& digits : {std::vector<int>{1, 2, 5}, std::vector<int>{1, 2, 3, 4, 5, 6, 7, 8, 9}}) {
    int count = 0;
    list.clear();
    for (int e = static_cast<int>(std::floor(std::log10(lo))); std::pow(10, e) <= hi; ++e)
      for (const int digit : digits) {
        const double value = digit * std::pow(10, e);
        if (value < lo || value > hi) continue;
        const bool plain = e >= -4 && e <= 4;
        const std::string label = plain ? fmt::format("{:g}", value) : fmt::format("{}·10^{{{}}}", digit, e);
        list += fmt::format("{}'{}' {}e{}", count++ ? ", " : "", label, digit, e);
        label_width = std::max(label_width, plain ? static_cast<double>(label.size()) : 6.0);
      }
    if (count >= 2) return "(" + list + ")";
  }
  return "";
}

Axis make_log_axis(double lo, double hi, int most_tics) {
  Axis axis;
  axis.log = true;
  axis.lo = lo;
  axis.hi = hi;
  const int first = static_cast<int>(std::ceil(std::log10(lo) - 1e-9));
  const int last = static_cast<int>(std::floor(std::log10(hi) + 1e-9));
  if (last > first) {
    const int step = (last - first + most_tics) / most_tics;
    axis.format = "10^{%L}";
    // Without a start gnuplot counts from 10 floor(lo/10), which is no power of ten.
    const int start = first + ((step - first % step) % step);
    axis.tics = fmt::format("1e{},1e{}", start, step);
    axis.minor = step == 1 ? 10 : 0;
    axis.label_width = 2 + 0.8 * std::max(fmt::format("{}", first).size(), fmt::format("{}", last).size());
    return axis;
  }
  axis.format = "%g";
  axis.tics = short_log_tics(lo, hi, axis.label_width);
  if (axis.tics.empty()) {  // less than the distance of two digits: as good as linear
    const double step = round_step(hi - lo, most_tics);
    axis.tics.clear();
    for (double value = std::ceil(lo / step) * step; value <= hi; value += step)
      axis.tics += fmt::format("{}{:.6g}", axis.tics.empty() ? "(" : ", ", value);
    axis.tics += ")";
    axis.label_width = 7;
  }
  return axis;
}

}  // namespace

double Axis::place(double value) const {
  if (!log) return (value - lo) / (hi - lo);
  return (std::log10(value) - std::log10(lo)) / (std::log10(hi) - std::log10(lo));
}

Axis make_linear_axis(double lo, double hi, int most_tics) {
  Axis axis;
  axis.lo = lo;
  axis.hi = hi;
  const double largest = std::max(std::abs(lo), std::abs(hi));
  const int power = static_cast<int>(std::floor(std::log10(largest)));
  if (power < -2 || power > 4) axis.exponent = power;
  const double unit = std::pow(10, axis.exponent);
  const double step = round_step((hi - lo) / unit, most_tics);
  const int decimals = std::max(0, -static_cast<int>(std::floor(std::log10(step) + 1e-9)));
  axis.tics = fmt::format("{:.{}f}", step, decimals);
  axis.format = fmt::format("%.{}f", decimals);
  axis.minor = 2;
  for (const double end : {lo, hi})
    axis.label_width =
        std::max(axis.label_width, static_cast<double>(fmt::format("{:.{}f}", end / unit, decimals).size()));
  return axis;
}

Axis make_axis(const std::vector<double>& values, bool log, double pad, int most_tics) {
  double lo = log ? 1 : 0, hi = log ? 10 : 1;
  if (!values.empty()) {
    const auto [least, largest] = std::minmax_element(values.begin(), values.end());
    lo = *least;
    hi = *largest;
  }
  if (log) {
    const double decades = std::log10(hi) - std::log10(lo);
    const double margin = decades < 0.02 ? 2 : std::pow(10, pad * decades);
    return make_log_axis(std::max(lo / margin, std::numeric_limits<double>::min()),
                         std::min(hi * margin, std::numeric_limits<double>::max()), most_tics);
  }
  // A constant still needs a range; below the round-off of its values there is nothing to show.
  const double size = std::max(std::abs(lo), std::abs(hi));
  if (hi - lo <= 1e-12 * size || hi == lo) {
    const double half = size > 0 ? size / 10 : 1;
    return make_linear_axis(lo - half, hi + half, most_tics);
  }
  // An end that is almost a tic becomes one: time starts at 0, not at the first positive value.
  const double step = round_step(hi - lo, most_tics);
  const double round_lo = std::round(lo / step) * step, round_hi = std::round(hi / step) * step;
  if (std::abs(round_lo - lo) < 0.02 * step) lo = round_lo;
  if (std::abs(round_hi - hi) < 0.02 * step) hi = round_hi;
  return make_linear_axis(lo - pad * (hi - lo), hi + pad * (hi - lo), most_tics);
}

}  // namespace daelab
