// Where everything is on a figure, in millimetres from its lower left corner.
#pragma once

#include <string>
#include <vector>

#include "report/axis.hpp"
#include "report/curve.hpp"
#include "results/artifacts.hpp"

namespace daelab {

inline constexpr double figure_width = 85;      // one journal column [mm]
inline constexpr double character_width = 1.4;  // of the 7 pt font [mm]
inline constexpr double line_height = 3.2;      // [mm]
inline constexpr double x_axis_height = 9;      // tic labels and label of an x axis [mm]

/// What fits beside a line sample.
inline constexpr std::size_t longest_legend_text = 50;

/// Text of a reference line, on or beside the line where it hides no data.
struct LineLabel {
  std::string text;
  double x, y;  // data units
};

/// One set of axes, placed.
struct PlacedPanel {
  const Panel* panel = nullptr;
  std::vector<Curve> curves;  // areas first, because they lie behind the lines; else in the order of the series
  Axis x, y;
  double bottom = 0, height = 0;     // of the plot area [mm]
  bool shows_x_axis = true;          // false when the panel below has the same axis
  std::vector<std::string> y_label;  // one or two lines
  std::vector<LineLabel> line_labels;
};

struct Layout {
  double left = 0, right = 0;  // of every plot area [mm]
  double height = 0;           // of the figure [mm]
  double key_top = 0;          // of the legend [mm]
  int key_columns = 1;
  std::vector<std::string> legend;  // distinct labels in the order of the curves
  std::size_t lines = 0;            // how many of them are drawn as lines
  std::vector<PlacedPanel> panels;

  /// Some area has this label: its lines are a boundary.
  bool has_area(const std::string& label) const;
  /// Position in the legend; curves of the same label look the same in all panels.
  std::size_t style_of(const std::string& label) const;
};

/// Reads the curves and places everything.
Layout make_layout(const Figure& figure, const std::string& result_dir);

}  // namespace daelab
