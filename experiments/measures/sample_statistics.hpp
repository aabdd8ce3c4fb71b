// Statistics of a sample: moments, quantiles, a histogram.
#pragma once

#include <vector>

namespace daelab {

struct SampleStatistics {
  double mean = 0, deviation = 0;  // deviation: sqrt(sum of squares / (n - 1)), 0 of a single value
  double standard_error = 0;       // of the mean
  double least = 0, largest = 0;
  std::vector<double> quantiles;  // at the parts asked for
};

/// Of finite values, at least one; parts in 0 to 1. Quantiles are interpolated between neighbouring values, the least
/// one at 0 and the largest one at 1 (type 7 of Hyndman, Fan, American Statistician 50, 1996). The result does not
/// depend on the order of the values.
SampleStatistics sample_statistics(std::vector<double> values, const std::vector<double>& parts);

/// How many values are in each of equal intervals from the least to the largest value.
struct Histogram {
  std::vector<double> edges;  // one more than intervals
  std::vector<long> counts;
};

/// Of finite values, at least one. All in one interval of width 1 where they are equal.
Histogram histogram(const std::vector<double>& values, int intervals);

}  // namespace daelab
