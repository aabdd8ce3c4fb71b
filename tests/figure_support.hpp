// Curves of powers, figures of them, and what their legends say.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "report/layout/channels.hpp"
#include "report/layout/layout.hpp"

namespace daelab {

// y = scale x^order
inline Series power_curve(const std::vector<Factor>& factors, double order, double scale) {
  Series series;
  series.label = joined_values(factors), series.factors = factors, series.style = CurveStyle::line_points;
  for (const double x : {1e-3, 1e-2, 1e-1}) series.x.push_back(x), series.y.push_back(scale * std::pow(x, order));
  return series;
}

inline Figure figure_of(const std::vector<Series>& series) {
  Panel panel;
  panel.x_label = "step size h [s]", panel.y_label = "error of q at t = 1 s";
  panel.log_x = panel.log_y = true, panel.series = series;
  return {"errors", "Errors.", {panel}};
}

inline std::vector<std::string> legend_of(const Layout& layout) {
  std::vector<std::string> texts;
  for (const PlacedEntry& entry : layout.legend) texts.push_back(entry.entry.text);
  return texts;
}

}  // namespace daelab
