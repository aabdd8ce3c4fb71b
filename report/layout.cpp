#include "report/layout.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "report/text.hpp"

namespace daelab {
namespace {

constexpr double gap = 2.5;  // between stacked panels that share an axis [mm]
// gnuplot guesses the width of legend entries before it knows the font, and breaks rows by its
// guess; the larger one, of the svg terminal, is 0.7 em per character and this for the line sample
// [mm].
constexpr double key_sample = 12.6, key_character = 1.75;

bool is_reference(const Curve& curve) { return curve.style == "reference"; }
bool is_area(const Curve& curve) { return curve.style == "filled"; }

bool same_x_axis(const Panel& a, const Panel& b) {
  return a.x_label == b.x_label && a.log_x == b.log_x && a.x_range == b.x_range && !a.equal_axes && !b.equal_axes;
}

double plot_height(std::size_t panels) { return panels == 1 ? 52 : panels == 2 ? 36 : 28; }

std::vector<double> all_values(const std::vector<const PlacedPanel*>& panels, std::vector<double> Curve::*values) {
  std::vector<double> all;
  for (const PlacedPanel* panel : panels)
    for (const Curve& curve : panel->curves) all.insert(all.end(), (curve.*values).begin(), (curve.*values).end());
  return all;
}

// Lines may start at the frame; markers may not be cut by it.
double x_padding(const std::vector<const PlacedPanel*>& panels) {
  for (const PlacedPanel* panel : panels)
    for (const Curve& curve : panel->curves)
      if (is_points(curve.style) || curve.style == "line-points") return 0.05;
  return 0;
}

Axis given_axis(const std::array<double, 2>& range, bool log, int most_tics) {
  if (!log) return make_linear_axis(range[0], range[1], most_tics);
  return make_axis({range[0], range[1]}, true, 0, most_tics);
}

// All panels that share an x axis get the union of their ranges.
void make_x_axes(Layout& layout) {
  for (PlacedPanel& placed : layout.panels) {
    if (placed.panel->x_range) {
      placed.x = given_axis(*placed.panel->x_range, placed.panel->log_x, 6);
      continue;
    }
    std::vector<const PlacedPanel*> sharing;
    for (const PlacedPanel& other : layout.panels)
      if (&other == &placed || same_x_axis(*placed.panel, *other.panel)) sharing.push_back(&other);
    placed.x = make_axis(all_values(sharing, &Curve::x), placed.panel->log_x, x_padding(sharing), 6);
  }
}

// How many labels an axis of that length has room for.
int tics(double length) { return std::max(3, static_cast<int>(length / 6.5)); }

Axis panel_y_axis(const PlacedPanel& placed) {
  const Panel& panel = *placed.panel;
  if (panel.y_range) return given_axis(*panel.y_range, panel.log_y, tics(placed.height));
  return make_axis(all_values({&placed}, &Curve::y), panel.log_y, 0.05, tics(placed.height));
}

// Same scale on both axes: the height follows from the ranges, within limits; what is missing is
// added to the shorter range.
void make_equal_axes(PlacedPanel& placed, double width) {
  const Panel& panel = *placed.panel;
  const Axis x = panel.x_range ? given_axis(*panel.x_range, false, 5)
                               : make_axis(all_values({&placed}, &Curve::x), false, 0.05, 5);
  const Axis y = panel.y_range ? given_axis(*panel.y_range, false, 5)
                               : make_axis(all_values({&placed}, &Curve::y), false, 0.05, 5);
  double x_span = x.hi - x.lo, y_span = y.hi - y.lo;
  placed.height = std::clamp(width * y_span / x_span, 22.0, 90.0);
  const double per_mm = std::max(x_span / width, y_span / placed.height);
  x_span = per_mm * width;
  y_span = per_mm * placed.height;
  const double x_mid = (x.lo + x.hi) / 2, y_mid = (y.lo + y.hi) / 2;
  placed.x = make_linear_axis(x_mid - x_span / 2, x_mid + x_span / 2, tics(width));
  placed.y = make_linear_axis(y_mid - y_span / 2, y_mid + y_span / 2, tics(placed.height));
}

// In two lines when it is longer than its axis.
std::vector<std::string> broken_label(const std::string& label, double height) {
  const double width = static_cast<double>(text_width(label)) * character_width;
  const std::size_t middle = label.size() / 2;
  const std::size_t before = label.rfind(' ', middle), after = label.find(' ', middle);
  if (width <= height || (before == std::string::npos && after == std::string::npos)) return {label};
  const bool use_before =
      after == std::string::npos || (before != std::string::npos && middle - before < after - middle);
  const std::size_t cut = use_before ? before : after;
  return {label.substr(0, cut), label.substr(cut + 1)};
}

double left_margin(const Layout& layout) {
  double margin = 0;
  for (const PlacedPanel& placed : layout.panels)
    margin = std::max(
        margin, 3 + placed.y.label_width * character_width + line_height * static_cast<double>(placed.y_label.size()));
  return margin;
}

void make_legend(Layout& layout) {
  double widest = 0;
  for (const PlacedPanel& placed : layout.panels)
    for (const Curve& curve : placed.curves) {
      if (is_reference(curve) || curve.label.empty()) continue;
      const auto& legend = layout.legend;
      if (std::find(legend.begin(), legend.end(), curve.label) != legend.end()) continue;
      layout.legend.push_back(curve.label);
      layout.lines += !is_points(curve.style);
      widest = std::max(widest, static_cast<double>(text_width(curve.label)) * key_character);
    }
  const int fitting = static_cast<int>(figure_width / (widest + key_sample));
  layout.key_columns = std::clamp(fitting, 1, std::max(1, static_cast<int>(layout.legend.size())));
}

// Heights are summed from the bottom; the legend is below everything.
void stack(Layout& layout) {
  const int rows = (static_cast<int>(layout.legend.size()) + layout.key_columns - 1) / layout.key_columns;
  double y = rows * line_height + (rows ? 1 : 0);
  layout.key_top = y;
  for (std::size_t i = layout.panels.size(); i-- > 0;) {
    PlacedPanel& placed = layout.panels[i];
    placed.shows_x_axis = i + 1 == layout.panels.size() || !same_x_axis(*placed.panel, *layout.panels[i + 1].panel);
    y += placed.shows_x_axis ? x_axis_height : gap;
    placed.bottom = y;
    y += placed.height;
    if (placed.y.exponent) y += line_height;  // the power of ten above the axis
  }
  layout.height = y + 2;
}

// A place in a plot area [mm]; the weight says how bad it is to hide it.
struct Dot {
  double x, y;
  int weight = 1;
};
constexpr int marker_weight = 20;  // worse to hide than a piece of line

// The curve as dots at most one millimetre apart; dots that nearly coincide are kept once.
std::vector<Dot> dense_path(const Curve& curve, const PlacedPanel& placed, double width) {
  const bool has_line = !is_points(curve.style);
  const bool has_markers = !has_line || curve.style == "line-points";
  std::set<std::pair<int, int>> taken;
  std::vector<Dot> dots;
  const auto add = [&](double x, double y, int weight) {
    const bool is_new = taken.emplace(std::lround(2 * x), std::lround(2 * y)).second;
    if (is_new || weight > 1) dots.push_back({x, y, weight});
  };
  double last_x = 0, last_y = 0;
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    const double x = placed.x.place(curve.x[i]) * width;
    const double y = placed.y.place(curve.y[i]) * placed.height;
    const double length = i && has_line ? std::hypot(x - last_x, y - last_y) : 0;
    const int pieces = std::clamp(static_cast<int>(std::ceil(length)), 1, 1000);
    for (int k = 1; k < pieces; ++k) add(last_x + (x - last_x) * k / pieces, last_y + (y - last_y) * k / pieces, 1);
    add(x, y, has_markers ? marker_weight : 1);
    last_x = x;
    last_y = y;
  }
  return dots;
}

// Text centred at a place.
struct TextBox {
  Dot centre;
  double half_width, half_height = line_height / 2;

  bool is_inside(double width, double height) const {
    return centre.x > half_width + 1.5 && centre.x < width - half_width - 1.5 && centre.y > half_height + 1 &&
           centre.y < height - half_height - 1;
  }
  double clearance(const Dot& dot) const {
    return std::hypot(std::max(0.0, std::abs(dot.x - centre.x) - half_width),
                      std::max(0.0, std::abs(dot.y - centre.y) - half_height));
  }
};

// Distance to the nearest dot; minus the weight of the dots under the box when there are any.
double clearance(const TextBox& box, const std::vector<Dot>& dots, double enough) {
  double room = enough;
  int hidden = 0;
  for (const Dot& dot : dots) {
    room = std::min(room, box.clearance(dot));
    if (box.clearance(dot) == 0) hidden += dot.weight;
  }
  return hidden ? -hidden : room;
}

// The box on the line, or just beside it, that is farthest from everything else. Beyond `enough`
// the first one found is kept; a box on its line is worth a little crowding.
TextBox best_box(const std::vector<Dot>& line, const std::vector<Dot>& others, double half_width, double width,
                 double height) {
  constexpr double enough = 2, worth_of_line = 0.5;
  TextBox best = {{width / 2, height / 2}, half_width};
  double most = -std::numeric_limits<double>::infinity();
  for (const Dot& dot : line)
    for (const double right : {0.0, 0.5, -0.5, 1.0, -1.0})
      for (const double up : {0.0, 0.8, -0.8, 1.2, -1.2}) {
        const TextBox box = {{dot.x + right * (half_width + 1), dot.y + up * line_height}, half_width};
        if (!box.is_inside(width, height)) continue;
        const bool on_line = right == 0 && up == 0;
        const double to_line = on_line ? 1 : clearance(box, line, 2);
        if (to_line < 0.5 || to_line > 1.2) continue;
        const double room = clearance(box, others, enough) + (on_line ? worth_of_line : 0);
        if (room <= most) continue;
        most = room;
        best = box;
      }
  return best;
}

double value_at(const Axis& axis, double place) {
  if (!axis.log) return axis.lo + place * (axis.hi - axis.lo);
  const double lo = std::log10(axis.lo), hi = std::log10(axis.hi);
  return std::pow(10, lo + place * (hi - lo));
}

void place_line_labels(PlacedPanel& placed, double width) {
  const auto is_labelled = [](const Curve& curve) {
    return is_reference(curve) && !curve.label.empty() && !curve.x.empty();
  };
  if (std::none_of(placed.curves.begin(), placed.curves.end(), is_labelled)) return;
  std::vector<std::vector<Dot>> paths;
  for (const Curve& curve : placed.curves)
    paths.push_back(is_area(curve) ? std::vector<Dot>() : dense_path(curve, placed, width));
  std::vector<Dot> labels;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const Curve& curve = placed.curves[i];
    if (!is_labelled(curve)) continue;
    std::vector<Dot> others = labels;
    for (std::size_t k = 0; k < paths.size(); ++k)
      if (k != i) others.insert(others.end(), paths[k].begin(), paths[k].end());
    const double half_width = static_cast<double>(text_width(curve.label)) * character_width / 2;
    const TextBox box = best_box(paths[i], others, half_width, width, placed.height);
    placed.line_labels.push_back(
        {curve.label, value_at(placed.x, box.centre.x / width), value_at(placed.y, box.centre.y / placed.height)});
    for (double dx = -half_width; dx <= half_width; dx += 1)
      labels.push_back({box.centre.x + dx, box.centre.y, marker_weight});
  }
}

}  // namespace

bool Layout::has_area(const std::string& label) const {
  for (const PlacedPanel& placed : panels)
    for (const Curve& curve : placed.curves)
      if (is_area(curve) && curve.label == label) return true;
  return false;
}

std::size_t Layout::style_of(const std::string& label) const {
  const auto found = std::find(legend.begin(), legend.end(), label);
  return found == legend.end() ? 0 : static_cast<std::size_t>(found - legend.begin());
}

Layout make_layout(const Figure& figure, const std::string& result_dir) {
  Layout layout;
  for (const Panel& panel : figure.panels) {
    PlacedPanel placed;
    placed.panel = &panel;
    for (const Series& series : panel.series) placed.curves.push_back(load_curve(series, panel, result_dir));
    layout.panels.push_back(std::move(placed));
  }
  make_x_axes(layout);
  for (PlacedPanel& placed : layout.panels) {
    placed.height = plot_height(layout.panels.size());
    placed.y = panel_y_axis(placed);
    placed.y_label = broken_label(placed.panel->y_label, placed.height);
  }
  // Equal axes need the width, and their tic labels are part of the margin: two passes.
  double last_label = 0;
  for (const PlacedPanel& placed : layout.panels)
    last_label = std::max(last_label, placed.x.label_width * character_width / 2);
  layout.right = figure_width - std::max(2.5, last_label);
  for (int pass = 0; pass < 2; ++pass) {
    layout.left = left_margin(layout);
    for (PlacedPanel& placed : layout.panels)
      if (placed.panel->equal_axes) make_equal_axes(placed, layout.right - layout.left);
  }
  make_legend(layout);
  for (PlacedPanel& placed : layout.panels) std::stable_partition(placed.curves.begin(), placed.curves.end(), is_area);
  stack(layout);
  for (PlacedPanel& placed : layout.panels) place_line_labels(placed, layout.right - layout.left);
  return layout;
}

}  // namespace daelab
