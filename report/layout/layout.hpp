// Places of all parts of a figure, in millimetres from its lower left corner.
#pragma once

#include <string>
#include <vector>

#include "report/layout/axis.hpp"
#include "report/layout/channels.hpp"
#include "report/layout/curve.hpp"
#include "results/artifacts.hpp"

namespace daelab {

inline constexpr double journal_column = 85, journal_page = 174;     // widths of figures in journals [mm]
inline constexpr double narrowest_figure = 60, widest_figure = 400;  // that a figure may be given [mm]
inline constexpr std::size_t most_tinted_areas = 2;          // the tints of more make other colours: they are grey
inline constexpr double line_height = 3.2;                   // of the 7 pt font [mm]
inline constexpr double x_axis_height = 9;                   // tic labels and label of an x axis [mm]
inline constexpr double sample_width = 7, sample_gap = 1.2;  // of a legend's lines, and to their text [mm]

/// Text at a line where it hides no data.
struct LineLabel {
  std::string text;
  double x, y;                    // of its centre, in data units
  std::optional<std::size_t> of;  // the curve that has this fit; none: a reference line
};

/// One set of axes, placed.
struct PlacedPanel {
  const Panel* panel = nullptr;
  std::string title;          // what its curves have in common, of small multiples
  std::vector<Curve> curves;  // areas first, because they lie behind the lines; else in the order of the series
  Axis x, y;
  std::size_t row = 0, column = 0;
  double left = 0, width = 0, bottom = 0, height = 0;  // of the plot area [mm]
  bool shows_x_axis = true, shows_y_axis = true;       // false when a neighbour has the same axis
  std::vector<std::string> x_label, y_label;           // one or two lines
  std::vector<LineLabel> line_labels;
};

/// A line of the legend, in its place.
struct PlacedEntry {
  LegendEntry entry;
  std::vector<std::string> lines;  // of its text
  double x = 0, y = 0;             // left end of the sample, middle of the first line [mm]
};

struct Layout {
  double width = journal_column, height = 0;  // of the figure [mm]
  double left = 0, right = 0;                 // of all plot areas together [mm]
  std::size_t rows = 1, columns = 1;          // of panels
  std::string shared;                         // that curves coincide in, and all curves have: "double and 50 digits"
  std::vector<PlacedEntry> legend;
  std::vector<std::string>
      slopes;  // of fits that have room neither at their curve nor in the legend: "gauss 2.00 ± 0.01"
  Channels channels;
  std::size_t lines = 0;  // how many of the labels are drawn as lines
  std::vector<PlacedPanel> panels;

  /// Some area has this label: its lines are a boundary.
  bool has_area(const std::string& label) const;
  /// How many labels have areas.
  std::size_t areas() const;
  /// Curves of the same label look the same in all panels.
  Look look_of(const std::string& label) const;
};

/// The curve is a thin line in grey, with its text on it.
bool is_reference(const Curve& curve);
/// The curve is an area.
bool is_area(const Curve& curve);
/// The curve marks the errors that are round-off.
bool is_floor(const Curve& curve);

/// Reads the curves and places everything.
Layout make_layout(const Figure& figure, const std::string& result_dir, double width = journal_column);

/// The caption, with a sentence where all curves are several that coincide.
std::string caption_of(const Figure& figure, const Layout& layout);

}  // namespace daelab
