#include "report/layout/axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "report/layout/symbols.hpp"

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

// Decades between labels that are counted with ease.
int round_decades(int least) {
  for (const int step : {1, 2, 3, 4, 5, 10, 20, 50})
    if (step >= least) return step;
  return (least + 99) / 100 * 100;
}

// 5·10^-4, or 0.5 where all numbers of the axis are short.
std::string tic_text(int digit, int exponent, bool plain) {
  if (plain) return fmt::format("{:g}", digit * std::pow(10, exponent));
  return (digit == 1 ? "" : std::to_string(digit) + "·") + fmt::format("10^{}", exponent);
}

// As the list that `set tics` takes.
std::string tic_list(const std::vector<AxisTic>& tics) {
  std::string list;
  for (const AxisTic& tic : tics) {
    std::string text = tic.text;
    if (const std::size_t up = text.find('^'); up != std::string::npos)
      text = text.substr(0, up + 1) + "{" + text.substr(up + 1) + "}";
    if (const std::size_t minus = text.find('-'); minus != std::string::npos) text.replace(minus, 1, "−");
    list += fmt::format("{}'{}' {:g}", list.empty() ? "" : ", ", text, tic.value);
  }
  return "(" + list + ")";
}

// Tics of a logarithmic axis that spans less than about a decade: 1, 2, 5 times powers of ten, fewer where these are
// too many, all digits where they are too few.
std::vector<AxisTic> short_log_tics(double lo, double hi, int most_tics) {
  const bool plain = lo >= 1e-3 && hi < 1e4;
  const auto first = static_cast<int>(std::floor(std::log10(lo))), last = static_cast<int>(std::floor(std::log10(hi)));
  std::vector<AxisTic> shortest;
  for (const auto& digits : {std::vector<int>{1, 2, 5}, std::vector<int>{1, 5}, std::vector<int>{1, 3},
                             std::vector<int>{1, 2, 3, 4, 5, 6, 7, 8, 9}}) {
    std::vector<AxisTic> list;
    for (int e = first; e <= last; ++e)
      for (const int digit : digits)
        if (const double value = digit * std::pow(10, e); value >= lo && value <= hi)
          list.push_back({value, tic_text(digit, e, plain)});
    if (list.size() < 2) continue;
    if (list.size() <= static_cast<std::size_t>(most_tics)) return list;
    if (shortest.empty() || list.size() < shortest.size()) shortest = std::move(list);
  }
  return shortest;
}

// The labels that gnuplot makes of a step and of its format [decimals], in units of the axis.
std::vector<AxisTic> linear_tics(const Axis& axis, double step, int decimals) {
  std::vector<AxisTic> list;
  const double unit = std::pow(10, axis.exponent);
  const double first = std::ceil(axis.lo / unit / step - 1e-9), last = std::floor(axis.hi / unit / step + 1e-9);
  constexpr double most = 100;
  if (!(last - first < most)) return list;
  for (double k = first; k <= last; ++k) list.push_back({k * step * unit, fmt::format("{:.{}f}", k * step, decimals)});
  return list;
}

// 3.5·10^-13, or 0.35
std::string decimal_text(double value) {
  const int exponent = static_cast<int>(std::floor(std::log10(value) + 1e-9));
  if (exponent >= -3 && exponent < 4) return fmt::format("{:.6g}", value);
  return fmt::format("{:.4g}·10^{}", value / std::pow(10, exponent), exponent);
}

// Less than the distance of two digits: as good as linear.
std::vector<AxisTic> near_tics(double lo, double hi, int most_tics) {
  std::vector<AxisTic> list;
  const double step = round_step(hi - lo, most_tics);
  for (double value = std::ceil(lo / step) * step; value <= hi; value += step)
    list.push_back({value, decimal_text(value)});
  return list;
}

// All digits that have no label.
std::string digits_between(double lo, double hi, const std::vector<AxisTic>& labels) {
  std::string list;
  for (auto e = static_cast<int>(std::floor(std::log10(lo))); std::pow(10, e) <= hi; ++e)
    for (int digit = 1; digit < 10; ++digit) {
      const double value = digit * std::pow(10, e);
      const auto is_it = [&](const AxisTic& tic) { return std::abs(tic.value / value - 1) < 1e-9; };
      if (value >= lo && value <= hi && std::none_of(labels.begin(), labels.end(), is_it))
        list += fmt::format("{}'' {}e{} 1", list.empty() ? "" : ", ", digit, e);
    }
  return list.empty() ? "" : "(" + list + ")";
}

// Powers of ten between the labelled ones.
std::string powers_between(int first, int last, int start, int step) {
  std::string list;
  for (int e = first; e <= last; ++e)
    if ((e - start) % step != 0) list += fmt::format("{}'' 1e{} 1", list.empty() ? "" : ", ", e);
  return list.empty() ? "" : "(" + list + ")";
}

Axis make_log_axis(double lo, double hi, int most_tics) {
  Axis axis;
  axis.log = true;
  axis.lo = lo;
  axis.hi = hi;
  const int first = static_cast<int>(std::ceil(std::log10(lo) - 1e-9));
  const int last = static_cast<int>(std::floor(std::log10(hi) + 1e-9));
  if (last > first) {
    const int step = round_decades((last - first + most_tics) / most_tics);
    axis.format = "10^{%L}";
    // Without a start gnuplot counts from 10 floor(lo/10), which is no power of ten.
    const int start = first + ((step - first % step) % step);
    axis.tics = fmt::format("1e{},1e{}", start, step);
    for (int e = start; e <= last; e += step) axis.labels.push_back({std::pow(10, e), fmt::format("10^{}", e)});
    axis.minor = step == 1 ? 10 : 0;
    if (step > 1) axis.more_tics = powers_between(first, last, start, step);
    axis.label_width = 2 + 0.8 * std::max(fmt::format("{}", first).size(), fmt::format("{}", last).size());
    return axis;
  }
  axis.format = "%g";
  axis.labels = short_log_tics(lo, hi, most_tics);
  if (axis.labels.empty()) axis.labels = near_tics(lo, hi, most_tics);
  axis.tics = tic_list(axis.labels);
  axis.more_tics = digits_between(lo, hi, axis.labels);
  for (const AxisTic& tic : axis.labels)
    axis.label_width = std::max(axis.label_width, static_cast<double>(tic.text.size()));
  return axis;
}

}  // namespace

double Axis::place(double value) const {
  if (!log) return (value - lo) / (hi - lo);
  return (std::log10(value) - std::log10(lo)) / (std::log10(hi) - std::log10(lo));
}

bool Axis::labels_fit(double length) const {
  constexpr double least_gap = 1.5;  // [mm]
  for (std::size_t i = 1; i < labels.size(); ++i) {
    const double distance = std::abs(place(labels[i].value) - place(labels[i - 1].value)) * length;
    if (distance < (daelab::label_width(labels[i].text) + daelab::label_width(labels[i - 1].text)) / 2 + least_gap)
      return false;
  }
  return true;
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
  axis.labels = linear_tics(axis, step, decimals);
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
