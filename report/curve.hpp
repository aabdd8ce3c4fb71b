// The points of a figure's curves, from the result or from its trajectory files.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "results/artifacts.hpp"

namespace daelab {

/// More points than this on one line cannot be seen at one column width.
inline constexpr std::size_t most_points_per_curve = 2000;

struct Curve {
  std::string label;
  std::string style;
  std::vector<double> x, y;
  std::size_t total = 0;    // points before thinning
  std::size_t skipped = 0;  // not finite, or not positive on a logarithmic axis
};

/// Whether curves of this style are points alone, without a line.
bool is_points(const std::string& style);

/// The drawable points of one series. `result_dir` is where its file is relative to. Throws
/// InputError for an unknown style, unequal lengths, or a file or column that is not there.
Curve load_curve(const Series& series, const Panel& panel, const std::string& result_dir);

/// Keeps the first and last point and, in each stretch, the extremes of x and of y.
void thin(Curve& curve, std::size_t most_points);

}  // namespace daelab
