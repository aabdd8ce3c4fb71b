#include "analysis/invariant_growth.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>

#include "analysis/students_t.hpp"
#include "core/base/options.hpp"

namespace daelab {
namespace {

constexpr long least_steps = 4096;
constexpr std::size_t segments = 8, longest_stretch = 8, finest = 64;  // a stretch is 1/8 to 1/64 of the run
constexpr double bound_of_exponent = 0.25, halves_agree = 0.25, roundings_of_bounded = 16, roundings_of_walk = 100;

double quantile() {
  static const double t = students_t_quantile(segments - 1, 0.975);
  return t;
}

double mean_of(std::span<const double> values) {
  double sum = 0;
  for (const double x : values) sum += x;
  return sum / static_cast<double>(values.size());
}

double squares_about(std::span<const double> values, double mean) {
  double sum = 0;
  for (const double x : values) sum += (x - mean) * (x - mean);
  return sum;
}

// Least squares of y over x.
double fitted_slope(std::span<const double> x, std::span<const double> y) {
  const double x_mean = mean_of(x), y_mean = mean_of(y);
  double products = 0;
  for (std::size_t i = 0; i < x.size(); ++i) products += (x[i] - x_mean) * (y[i] - y_mean);
  return products / squares_about(x, x_mean);
}

// Blocks [begin, end).
struct Segment {
  std::size_t begin, end;
};
Segment segment(std::size_t i, std::size_t blocks) { return {i * blocks / segments, (i + 1) * blocks / segments}; }

// Ranges of the error over stretches of blocks.
class Ranges {
 public:
  explicit Ranges(const ErrorBlocks& blocks) : blocks_(blocks), shortest_(blocks.t.size() / finest) {
    for (std::size_t k = 0; k < lengths; ++k) add_all(shortest_ << k, of_[k]);
  }
  /// Averages over the stretches of each length, from 1/64 of the run to 1/8, that do not touch what is left out.
  std::array<double, 4> means(const std::optional<Segment>& left_out = {}) const {
    std::array<double, 4> result{};
    for (std::size_t k = 0; k < lengths; ++k) {
      double sum = 0;
      long count = 0;
      for (std::size_t i = 0; i < of_[k].size(); ++i)
        if (!left_out || i >= left_out->end || i + (shortest_ << k) <= left_out->begin) sum += of_[k][i], ++count;
      result[k] = sum / static_cast<double>(count);
    }
    return result;
  }
  double exponent(const std::optional<Segment>& left_out = {}) const {
    std::array<double, 4> x{}, y = means(left_out);
    for (std::size_t k = 0; k < lengths; ++k) x[k] = static_cast<double>(k) * std::log(2.0), y[k] = std::log(y[k]);
    return fitted_slope(x, y);
  }
  double of_run() const {
    return *std::ranges::max_element(blocks_.greatest) - *std::ranges::min_element(blocks_.least);
  }

 private:
  static constexpr std::size_t lengths = 4;
  static_assert(longest_stretch << (lengths - 1) == finest);

  void add_all(std::size_t length, std::vector<double>& ranges) const {
    for (std::size_t i = 0; i + length <= blocks_.t.size(); ++i) {
      const auto at = static_cast<std::ptrdiff_t>(i), end = at + static_cast<std::ptrdiff_t>(length);
      ranges.push_back(*std::max_element(blocks_.greatest.begin() + at, blocks_.greatest.begin() + end) -
                       *std::min_element(blocks_.least.begin() + at, blocks_.least.begin() + end));
    }
  }

  const ErrorBlocks& blocks_;
  std::size_t shortest_;
  std::array<std::vector<double>, lengths> of_;
};

// Delete-one jackknife over the segments.
Estimated exponent_of(const Ranges& ranges, std::size_t blocks) {
  std::array<double, segments> without{};
  for (std::size_t i = 0; i < segments; ++i) without[i] = ranges.exponent(segment(i, blocks));
  constexpr double n = segments;
  return {ranges.exponent(), quantile() * std::sqrt((n - 1) / n * squares_about(without, mean_of(without)))};
}

std::array<double, segments> slopes_of(const ErrorBlocks& blocks) {
  std::array<double, segments> slopes{};
  for (std::size_t i = 0; i < segments; ++i) {
    const auto [begin, end] = segment(i, blocks.t.size());
    slopes[i] = fitted_slope(std::span(blocks.t).subspan(begin, end - begin),
                             std::span(blocks.mean).subspan(begin, end - begin));
  }
  return slopes;
}

Estimated slope_of(const std::array<double, segments>& slopes) {
  const double mean = mean_of(slopes);
  constexpr double n = segments;
  return {mean, quantile() * std::sqrt(squares_about(slopes, mean) / (n - 1) / n)};
}

bool is_straight(const std::array<double, segments>& slopes, const Estimated& slope) {
  const std::span<const double> all(slopes);
  const bool one_sign = std::ranges::all_of(slopes, [&](double x) { return x * slope.value > 0; });
  const double halves = mean_of(all.first(segments / 2)) - mean_of(all.last(segments / 2));
  return one_sign && std::abs(slope.value) > slope.half_width &&
         std::abs(halves) <= halves_agree * std::abs(slope.value);
}

bool is_random_walk(const GrowthVerdict& found) {
  const double least = found.exponent.value - found.exponent.half_width;
  const double largest = found.exponent.value + found.exponent.half_width;
  return least > bound_of_exponent && least < 0.5 && largest > 0.5 && largest < 1 - bound_of_exponent &&
         found.roundings_a_step <= roundings_of_walk;
}

Growth verdict_of(const GrowthVerdict& found, bool is_seen_drift) {
  if (is_seen_drift) return Growth::linear_drift;
  if (found.exponent.value + found.exponent.half_width < bound_of_exponent) return Growth::bounded;
  return is_random_walk(found) ? Growth::random_walk : Growth::undecided;
}

std::string numbers_text(const GrowthVerdict& found) {
  return fmt::format("exponent {}, slope {} per s", exponent_text(found), estimated_text(found.slope));
}

std::string statement_of(const GrowthVerdict& found) {
  std::string text = fmt::format("{}: {}", name_of(found.verdict), numbers_text(found));
  if (found.verdict == Growth::random_walk)
    text += fmt::format(", {:.1e} roundings a step", found.roundings_a_step);
  else if (found.verdict == Growth::undecided)
    text += "; neither bounded nor straight nor a random walk at the level of round-off";
  return text;
}

GrowthVerdict without_estimate(Growth verdict, const std::string& why) {
  return {verdict, {}, {}, 0, fmt::format("{}: {}", name_of(verdict), why)};
}

}  // namespace

std::vector<std::string> names_of(Growth) {
  return {"bounded", "linear drift", "random walk of round-off", "undecided"};
}

std::string estimated_text(const Estimated& x) {
  return std::isfinite(x.value) ? fmt::format("{:.2e} ± {:.1e}", x.value, x.half_width) : "";
}

std::string exponent_text(const GrowthVerdict& growth) {
  const auto& [value, half_width] = growth.exponent;
  return std::isfinite(value) ? fmt::format("{:.2f} ± {:.2f}", value, half_width) : "";
}

GrowthVerdict judge_growth(const ErrorBlocks& blocks, double epsilon) {
  if (!std::isfinite(blocks.largest)) return without_estimate(Growth::undecided, "the error is not finite");
  if (blocks.steps < least_steps)
    return without_estimate(Growth::undecided,
                            fmt::format("{} steps are too few, {} are needed", blocks.steps, least_steps));
  const double rounding = epsilon * blocks.size;
  const Ranges ranges(blocks);
  if (ranges.of_run() <= roundings_of_bounded * rounding)
    return without_estimate(Growth::bounded, fmt::format("within {:.1f} roundings over the whole run",
                                                         rounding > 0 ? ranges.of_run() / rounding : 0));
  GrowthVerdict found;
  found.exponent = exponent_of(ranges, blocks.t.size());
  if (!std::isfinite(found.exponent.half_width))
    return without_estimate(Growth::undecided, "the error stands still over whole stretches, and changes elsewhere");
  const std::array<double, segments> slopes = slopes_of(blocks);
  found.slope = slope_of(slopes);
  const double steps_in_longest = static_cast<double>(blocks.steps) / longest_stretch;
  found.roundings_a_step = ranges.means().back() / std::sqrt(steps_in_longest) / rounding;
  const double drift = std::abs(found.slope.value) * (blocks.t.back() - blocks.t.front());
  found.verdict = verdict_of(found, is_straight(slopes, found.slope) && drift > ranges.means().front());
  found.statement = statement_of(found);
  return found;
}

}  // namespace daelab
