// The points of a figure's curves, from the result or from its trajectory files.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "results/artifacts.hpp"

namespace daelab {

/// More points than this on one line cannot be seen at one column width.
inline constexpr std::size_t most_points_per_curve = 2000;

struct Curve {
  std::string label;
  CurveStyle style = CurveStyle::line;
  std::vector<double> x, y;
  std::vector<bool> left_out = {};  // of the fit, point by point; empty: no fit, or none left out
  std::vector<Factor> factors = {};
  std::optional<Fit> fit = {};  // its points are those not left out
  std::optional<double> floor = {};
  bool is_rough = false;    // goes up and down so often that dashes are lost on it
  std::size_t total = 0;    // points before thinning
  std::size_t skipped = 0;  // not finite, or not positive on a logarithmic axis
};

/// Whether curves of this style are points alone, without a line.
bool is_points(CurveStyle style);

/// The drawable points of one series. `result_dir` is where its file is relative to. Throws
/// InputError for unequal lengths, a fit to points that are not there, or a file or column that is not there.
Curve load_curve(const Series& series, const Panel& panel, const std::string& result_dir);

/// Keeps the first and last point and, in each stretch, the extremes of x and of y.
void thin(Curve& curve, std::size_t most_points);

}  // namespace daelab
