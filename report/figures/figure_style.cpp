#include "report/figures/figure_style.hpp"

#include <algorithm>

namespace daelab {
namespace {

constexpr std::size_t black = 2;  // in figure_colours

// Where all areas of a figure overlap, what lies below can still be seen.
double area_opacity(std::size_t areas) {
  constexpr double least_visible = 0.05;  // islands of a single area
  return std::clamp((areas > most_tinted_areas ? 0.2 : 0.3) / static_cast<double>(std::max<std::size_t>(1, areas)),
                    least_visible, 0.2);
}

// The curve that the legend shows for a label: a line or marker where it has one, else an area or a thin line.
const Curve* sample_curve(const std::string& label, const Layout& layout) {
  const auto is_second_choice = [](const Curve& curve) { return is_area(curve) || curve.style == CurveStyle::thin; };
  const Curve* sample = nullptr;
  for (const PlacedPanel& placed : layout.panels)
    for (const Curve& curve : placed.curves)
      if (curve.label == label && !is_reference(curve) && (!sample || !is_second_choice(curve))) sample = &curve;
  return sample;
}

}  // namespace

Drawing drawing_of(const Curve& curve, const Layout& layout) {
  const Look look = layout.look_of(curve.label);
  Drawing drawing;
  drawing.colour = look.colour % figure_colours.size();
  drawing.dash = look.marker % figure_dashes.size();
  drawing.marker = figure_markers[look.marker % figure_markers.size()];
  if (curve.style == CurveStyle::circle) drawing.marker = {6, 6, "o", "o", 1.2};
  if (curve.style == CurveStyle::star) drawing.marker = {3, 3, "asterisk", "asterisk", 1.2};
  // Where many curves with a marker at each point cross, gaps of dashes add noise.
  constexpr std::size_t many = 6;
  const bool one_entry_each = layout.channels.legend.size() == layout.channels.looks.size();
  if (curve.style == CurveStyle::line_points && layout.lines > many && one_entry_each) drawing.dash = 0;
  drawing.area = is_area(curve);
  if (drawing.area) drawing.opacity = area_opacity(layout.areas());
  if (drawing.area && layout.areas() > most_tinted_areas) drawing.colour = black;
  drawing.thin = curve.style == CurveStyle::thin || curve.is_rough;
  drawing.line = !drawing.area && !is_points(curve.style);
  const bool plain_line = curve.style == CurveStyle::line;
  const bool marked_line = plain_line && layout.lines > 1 && !layout.has_area(curve.label);
  drawing.markers = is_points(curve.style) || curve.style == CurveStyle::line_points || marked_line;
  const std::size_t most = plain_line ? 8 : 30;
  if (!is_points(curve.style)) drawing.marker_step = std::max<std::size_t>(1, (curve.x.size() + most - 1) / most);
  return drawing;
}

Drawing sample_of(const PlacedEntry& entry, const Layout& layout) {
  const Curve* curve = sample_curve(entry.entry.label, layout);
  Drawing drawing = curve ? drawing_of(*curve, layout) : Drawing{};
  drawing.marker_step = 1;
  if (!entry.entry.marker) drawing.markers = drawing.markers && !drawing.line, drawing.dash = 0;
  if (!entry.entry.colour) drawing.colour = black;
  return drawing;
}

}  // namespace daelab
