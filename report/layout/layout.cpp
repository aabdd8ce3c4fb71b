#include "report/layout/layout.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "report/layout/coincidence.hpp"
#include "report/layout/legend.hpp"
#include "report/layout/multiples.hpp"
#include "report/layout/placement.hpp"
#include "report/layout/shown_text.hpp"
#include "report/layout/symbols.hpp"

namespace daelab {
namespace {

constexpr double row_gap = 2.5, column_gap = 3;  // between panels that share an axis [mm]
constexpr const char* floor_name = "round-off";

bool same_x_axis(const Panel& a, const Panel& b) {
  return a.x_label == b.x_label && a.log_x == b.log_x && a.x_range == b.x_range && !a.equal_axes && !b.equal_axes;
}

double plot_height(const Layout& layout) {
  const double stretch = std::clamp(layout.width / journal_column, 0.8, 1.5);
  const double height = layout.rows == 1 ? 52 : layout.rows == 2 ? 36 : 28;
  return height * (layout.columns == 1 ? stretch : 0.85);
}

std::vector<double> all_values(const std::vector<const PlacedPanel*>& panels, std::vector<double> Curve::*values) {
  std::vector<double> all;
  for (const PlacedPanel* panel : panels)
    for (const Curve& curve : panel->curves)
      if (!is_floor(curve)) all.insert(all.end(), (curve.*values).begin(), (curve.*values).end());
  return all;
}

// Lines may start at the frame; markers may not be cut by it.
double x_padding(const std::vector<const PlacedPanel*>& panels) {
  for (const PlacedPanel* panel : panels)
    for (const Curve& curve : panel->curves)
      if (is_points(curve.style) || curve.style == CurveStyle::line_points) return 0.05;
  return 0;
}

Axis given_axis(const std::array<double, 2>& range, bool log, int most_tics) {
  if (!log) return make_linear_axis(range[0], range[1], most_tics);
  return make_axis({range[0], range[1]}, true, 0, most_tics);
}

// An axis of at most so many labels, and of so many fewer that they do not touch; of an unknown length, 0, of so many.
template <class Make>
Axis spaced_axis(const Make& make, int most_tics, double length) {
  Axis axis = make(most_tics);
  constexpr int fewest = 2;
  while (length > 0 && most_tics > fewest && !axis.labels_fit(length)) axis = make(--most_tics);
  return axis;
}

// All panels that share an x axis get the union of their ranges.
void make_x_axes(Layout& layout) {
  const int most = layout.columns == 1 ? 6 : 4;
  for (PlacedPanel& placed : layout.panels) {
    std::vector<const PlacedPanel*> sharing;
    for (const PlacedPanel& other : layout.panels)
      if (&other == &placed || same_x_axis(*placed.panel, *other.panel)) sharing.push_back(&other);
    const std::vector<double> values = all_values(sharing, &Curve::x);
    const auto make = [&](int tics) {
      return placed.panel->x_range ? given_axis(*placed.panel->x_range, placed.panel->log_x, tics)
                                   : make_axis(values, placed.panel->log_x, x_padding(sharing), tics);
    };
    placed.x = spaced_axis(make, most, placed.width);
  }
}

// How many labels an axis of that length has room for.
int tics(double length) { return std::max(3, static_cast<int>(length / 6.5)); }

// Small multiples of one panel share their y axis.
void make_y_axes(Layout& layout) {
  for (PlacedPanel& placed : layout.panels) {
    const Panel& panel = *placed.panel;
    placed.height = plot_height(layout);
    if (panel.y_range) {
      placed.y = given_axis(*panel.y_range, panel.log_y, tics(placed.height));
      continue;
    }
    std::vector<const PlacedPanel*> sharing;
    for (const PlacedPanel& other : layout.panels)
      if (other.panel == placed.panel) sharing.push_back(&other);
    placed.y = make_axis(all_values(sharing, &Curve::y), panel.log_y, 0.05, tics(placed.height));
  }
}

// Same scale on both axes: the height follows from the ranges, within limits; what is missing is
// added to the shorter range.
void make_equal_axes(PlacedPanel& placed) {
  const Panel& panel = *placed.panel;
  const Axis x = panel.x_range ? given_axis(*panel.x_range, false, 5)
                               : make_axis(all_values({&placed}, &Curve::x), false, 0.05, 5);
  const Axis y = panel.y_range ? given_axis(*panel.y_range, false, 5)
                               : make_axis(all_values({&placed}, &Curve::y), false, 0.05, 5);
  double x_span = x.hi - x.lo, y_span = y.hi - y.lo;
  placed.height = std::clamp(placed.width * y_span / x_span, 22.0, 90.0);
  const double per_mm = std::max(x_span / placed.width, y_span / placed.height);
  x_span = per_mm * placed.width;
  y_span = per_mm * placed.height;
  const double x_mid = (x.lo + x.hi) / 2, y_mid = (y.lo + y.hi) / 2;
  placed.x = spaced_axis([&](int most) { return make_linear_axis(x_mid - x_span / 2, x_mid + x_span / 2, most); },
                         tics(placed.width), placed.width);
  placed.y = make_linear_axis(y_mid - y_span / 2, y_mid + y_span / 2, tics(placed.height));
}

// In two lines when it is longer than its axis.
std::vector<std::string> broken_label(const std::string& label, double length) {
  const std::size_t middle = label.size() / 2;
  const std::size_t before = label.rfind(' ', middle), after = label.find(' ', middle);
  if (label_width(label) <= length || (before == std::string::npos && after == std::string::npos)) return {label};
  const bool use_before =
      after == std::string::npos || (before != std::string::npos && middle - before < after - middle);
  const std::size_t cut = use_before ? before : after;
  return {label.substr(0, cut), label.substr(cut + 1)};
}

double left_margin(const Layout& layout) {
  constexpr double digit = 1.4;  // [mm]
  double margin = 0;
  for (const PlacedPanel& placed : layout.panels)
    if (placed.shows_y_axis)
      margin =
          std::max(margin, 3 + placed.y.label_width * digit + line_height * static_cast<double>(placed.y_label.size()));
  return margin;
}

double right_margin(const Layout& layout) {
  double last_label = 0;
  for (const PlacedPanel& placed : layout.panels) last_label = std::max(last_label, placed.x.label_width * 0.7);
  return std::max(2.5, last_label);
}

// What all curves have, coinciding ones counted once, is not said at each of them.
void leave_out_shared(Layout& layout) {
  const std::vector<Factor> common = common_factors(labels_of(layout.panels));
  std::vector<Factor> merged = common;
  std::erase_if(merged, [](const Factor& factor) { return factor.value.find(" and ") == std::string::npos; });
  layout.shared = joined_values(merged);
  for (PlacedPanel& placed : layout.panels)
    for (Curve& curve : placed.curves) {
      if (is_reference(curve) || common.empty()) continue;
      std::erase_if(curve.factors, [&](const Factor& one) { return std::ranges::find(common, one) != common.end(); });
      curve.label = joined_values(curve.factors);
    }
}

// The curves of a figure on their axes; coinciding curves are one.
Layout begin_layout(const Figure& figure, const std::string& result_dir, double width) {
  Layout layout;
  layout.width = width;
  for (const Panel& panel : figure.panels) {
    PlacedPanel placed;
    placed.panel = &panel, placed.row = layout.panels.size();
    for (const Series& series : panel.series) placed.curves.push_back(load_curve(series, panel, result_dir));
    layout.panels.push_back(std::move(placed));
  }
  layout.rows = std::max<std::size_t>(1, layout.panels.size());
  make_x_axes(layout), make_y_axes(layout);
  merge_coincident(layout.panels);
  leave_out_shared(layout);
  return layout;
}

// ----- places -----

void place_columns(Layout& layout) {
  const double gaps = column_gap * static_cast<double>(layout.columns - 1);
  const double width = (layout.right - layout.left - gaps) / static_cast<double>(layout.columns);
  for (PlacedPanel& placed : layout.panels) {
    placed.width = width;
    placed.left = layout.left + static_cast<double>(placed.column) * (width + column_gap);
  }
}

const PlacedPanel* panel_at(const Layout& layout, std::size_t row, std::size_t column) {
  for (const PlacedPanel& placed : layout.panels)
    if (placed.row == row && placed.column == column) return &placed;
  return nullptr;
}

void show_axes(Layout& layout) {
  for (PlacedPanel& placed : layout.panels) {
    const PlacedPanel* below = panel_at(layout, placed.row + 1, placed.column);
    placed.shows_x_axis = !below || !same_x_axis(*placed.panel, *below->panel);
    placed.shows_y_axis = placed.column == 0;
    placed.y_label = broken_label(placed.panel->y_label, placed.height);
    placed.x_label = broken_label(placed.panel->x_label, placed.width - 1);
  }
}

// Heights are summed from the bottom.
void stack(Layout& layout, double bottom) {
  double y = bottom;
  for (std::size_t row = layout.rows; row-- > 0;) {
    double below = row_gap, height = 0, above = 0;
    for (const PlacedPanel& placed : layout.panels) {
      if (placed.row != row) continue;
      const double more = line_height * static_cast<double>(placed.x_label.size() - 1);
      const bool in_last_row = row + 1 == layout.rows || panel_at(layout, row + 1, placed.column);
      const double to_next = row + 1 == layout.rows ? 0 : row_gap;  // the label is not of the panel under it
      if (placed.shows_x_axis && in_last_row) below = std::max(below, x_axis_height + more + to_next);
      height = std::max(height, placed.height);
      above = std::max(above, (placed.y.exponent ? line_height : 0) + (placed.title.empty() ? 0 : line_height));
    }
    y += below;
    for (PlacedPanel& placed : layout.panels)
      if (placed.row == row) placed.bottom = y;
    y += height + above;
  }
  layout.height = y + 2;
}

// Lines at the errors that are round-off; of floors that are nearly one the highest.
void add_floors(PlacedPanel& placed) {
  if (!placed.panel->log_y) return;
  constexpr double near = 30;
  constexpr std::size_t most = 2;
  std::vector<double> floors;
  for (const Curve& curve : placed.curves)
    if (curve.floor) floors.push_back(*curve.floor);
  std::ranges::sort(floors, std::greater<>());
  std::vector<double> lines;
  for (const double floor : floors)
    if (lines.empty() || lines.back() > near * floor) lines.push_back(floor);
  if (lines.size() > most) return;
  for (const double y : lines) {
    Curve& line = placed.curves.emplace_back();
    line.label = floor_name, line.style = CurveStyle::reference, line.floor = y;
    line.x = {placed.x.lo, placed.x.hi}, line.y = {y, y};
  }
}

// What the caption says of the only curve, or area, of a figure needs no legend.
bool is_told_by_caption(const Layout& layout, const std::string& caption) {
  std::vector<Label> labels;
  for (const PlacedPanel& placed : layout.panels) add_labels(placed.panel->series, labels);
  return labels.size() == 1 && (layout.areas() == 0 || caption.find(labels[0].text) != std::string::npos);
}

void choose_looks(Layout& layout, const std::string& caption) {
  const std::vector<Label> labels = labels_of(layout.panels);
  layout.channels = choose_channels(labels);
  if (is_told_by_caption(layout, caption)) layout.channels.legend.clear();
  layout.lines = static_cast<std::size_t>(std::ranges::count_if(labels, [&](const Label& label) {
    return std::ranges::any_of(layout.panels, [&](const PlacedPanel& placed) {
      return std::ranges::any_of(placed.curves, [&](const Curve& curve) {
        return !is_reference(curve) && curve.label == label.text && !is_points(curve.style);
      });
    });
  }));
}

// Everything, for a legend that needs so much of the right side and of the bottom [mm].
void place_panels(Layout& layout, double beside, double below) {
  layout.right = layout.width - right_margin(layout) - beside;
  // Equal axes need the width, and their tic labels are part of the margin: two passes.
  for (int pass = 0; pass < 2; ++pass) {
    show_axes(layout);
    layout.left = left_margin(layout);
    place_columns(layout);
    make_x_axes(layout);
    for (PlacedPanel& placed : layout.panels)
      if (placed.panel->equal_axes) make_equal_axes(placed);
  }
  show_axes(layout);
  stack(layout, below);
}

}  // namespace

bool is_reference(const Curve& curve) { return curve.style == CurveStyle::reference; }
bool is_area(const Curve& curve) { return curve.style == CurveStyle::filled; }
bool is_floor(const Curve& curve) { return is_reference(curve) && curve.floor; }

bool Layout::has_area(const std::string& label) const {
  for (const PlacedPanel& placed : panels)
    for (const Curve& curve : placed.curves)
      if (is_area(curve) && curve.label == label) return true;
  return false;
}

std::size_t Layout::areas() const {
  std::set<std::string> labels;
  for (const PlacedPanel& placed : panels)
    for (const Curve& curve : placed.curves)
      if (is_area(curve)) labels.insert(curve.label);
  return labels.size();
}

Look Layout::look_of(const std::string& label) const {
  const auto found = channels.looks.find(label);
  return found == channels.looks.end() ? Look{} : found->second;
}

Layout make_layout(const Figure& figure, const std::string& result_dir, double width) {
  Layout layout = begin_layout(figure, result_dir, width);
  untangle(layout);
  split_panels(layout);
  make_x_axes(layout), make_y_axes(layout);
  choose_looks(layout, figure.caption);
  for (PlacedPanel& placed : layout.panels) {
    std::stable_partition(placed.curves.begin(), placed.curves.end(), is_area);
    add_floors(placed);
  }
  mark_rough_curves(layout.panels);
  place_legend(layout, place_panels);
  return layout;
}

std::string caption_of(const Figure& figure, const Layout& layout) {
  std::string caption = figure.caption;
  if (!layout.shared.empty()) caption += fmt::format(" Curves of {} coincide.", layout.shared);
  if (!layout.slopes.empty()) caption += fmt::format(" Further slopes: {}.", fmt::join(layout.slopes, "; "));
  if (layout.areas() > most_tinted_areas) caption += " The darker, the more of the areas overlap.";
  for (const PlacedPanel& placed : layout.panels)
    for (const std::vector<std::string>& labels : coinciding_labels(placed)) {
      const std::string in = placed.title.empty() ? "" : ", " + placed.title;
      const std::string sentence = fmt::format(" Curves that coincide{}: {}.", in, fmt::join(labels, "; "));
      if (caption.find(sentence) == std::string::npos) caption += sentence;
    }
  return caption;
}

}  // namespace daelab
