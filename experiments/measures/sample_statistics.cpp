#include "experiments/measures/sample_statistics.hpp"

#include <algorithm>
#include <boost/math/statistics/univariate_statistics.hpp>
#include <cmath>

namespace daelab {
namespace {

double quantile(const std::vector<double>& ascending, double part) {
  const double place = part * static_cast<double>(ascending.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, ascending.size() - 1);
  return ascending[below] + (place - static_cast<double>(below)) * (ascending[above] - ascending[below]);
}

}  // namespace

SampleStatistics sample_statistics(std::vector<double> values, const std::vector<double>& parts) {
  std::ranges::sort(values);
  SampleStatistics result;
  result.least = values.front(), result.largest = values.back();
  result.mean = boost::math::statistics::mean(values);
  if (values.size() > 1) result.deviation = std::sqrt(boost::math::statistics::sample_variance(values));
  result.standard_error = result.deviation / std::sqrt(static_cast<double>(values.size()));
  for (const double part : parts) result.quantiles.push_back(quantile(values, part));
  return result;
}

Histogram histogram(const std::vector<double>& values, int intervals) {
  const auto [least, largest] = std::ranges::minmax(values);
  if (least == largest) return {{least - 0.5, least + 0.5}, {static_cast<long>(values.size())}};
  Histogram result;
  const double width = (largest - least) / intervals;
  for (int k = 0; k < intervals; ++k) result.edges.push_back(least + k * width);
  result.edges.push_back(largest);
  result.counts.assign(static_cast<std::size_t>(intervals), 0);
  for (const double x : values) ++result.counts[std::min<std::size_t>((x - least) / width, intervals - 1)];
  return result;
}

}  // namespace daelab
