#include "report/layout/placement.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "core/base/interval_text.hpp"
#include "report/layout/coincidence.hpp"
#include "report/layout/symbols.hpp"

namespace daelab {
namespace {

// A place in a plot area [mm].
struct Dot {
  double x, y;
  bool is_marker = false;
};

// The curve as dots at most one millimetre apart; dots that nearly coincide are kept once.
std::vector<Dot> dense_path(const Curve& curve, const PlacedPanel& placed) {
  const double width = placed.width;
  const bool has_line = !is_points(curve.style);
  const bool has_markers = !has_line || curve.style == CurveStyle::line_points;
  std::set<std::pair<int, int>> taken;
  std::vector<Dot> dots;
  const auto add = [&](double x, double y, bool is_marker) {
    const bool is_new = taken.emplace(std::lround(2 * x), std::lround(2 * y)).second;
    if (is_new || is_marker) dots.push_back({x, y, is_marker});
  };
  double last_x = 0, last_y = 0;
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    const double x = placed.x.place(curve.x[i]) * width;
    const double y = placed.y.place(curve.y[i]) * placed.height;
    const double length = i && has_line ? std::hypot(x - last_x, y - last_y) : 0;
    const int pieces = std::clamp(static_cast<int>(std::ceil(length)), 1, 1000);
    for (int k = 1; k < pieces; ++k) add(last_x + (x - last_x) * k / pieces, last_y + (y - last_y) * k / pieces, false);
    add(x, y, has_markers);
    last_x = x;
    last_y = y;
  }
  return dots;
}

// Text centred at a place.
struct TextBox {
  Dot centre;
  double half_width, half_height = 1.25;  // of 7 pt [mm]

  bool is_inside(double width, double height) const {
    constexpr double tics = 1.7;  // [mm]
    return centre.x > half_width + tics && centre.x < width - half_width - tics && centre.y > half_height + tics &&
           centre.y < height - half_height - tics;
  }
  // The distance to a dot, where it is less than `room`; otherwise `room`.
  double clearance(const Dot& dot, double room) const {
    const double radius = dot.is_marker ? 0.8 : 0;
    const double dx = std::max(0.0, std::abs(dot.x - centre.x) - half_width);
    const double dy = std::max(0.0, std::abs(dot.y - centre.y) - half_height);
    if (std::max(dx, dy) - radius >= room) return room;
    return std::min(room, std::max(0.0, std::hypot(dx, dy) - radius));
  }
};

// Distance to the nearest dot, `enough` at most; negative, found early, where a dot is under the box or nearer than
// `least`.
double clearance(const TextBox& box, const std::vector<Dot>& dots, double enough, double least) {
  double room = enough;
  for (const Dot& dot : dots) {
    room = box.clearance(dot, room);
    if (room == 0 || room < least) return -1;
  }
  return room;
}

// What a text is to stay clear of.
struct Crowd {
  std::vector<Dot> dots;
  double least = 0;       // [mm]
  bool is_rival = false;  // could be taken for the owner of the text: it is farther away than the own line
};

// Distance of a box to everything else, `enough` at most; negative where it is below `least`, or a crowd too near.
double clearance(const TextBox& box, double to_line, const std::vector<Crowd>& others, double enough, double least) {
  constexpr double rival = 0.5;  // [mm]
  double room = enough;
  for (const Crowd& crowd : others) {
    const double needed = std::max({least, crowd.least, crowd.is_rival ? to_line + rival : 0});
    const double distance = clearance(box, crowd.dots, std::max(enough, needed), needed);
    if (distance < needed) return -1;
    room = std::min(room, distance);
  }
  return room;
}

// Whether the line of a text leaves its box above or below letters: a dash there looks like an accent.
bool rises_past(const TextBox& box, const std::vector<Dot>& line) {
  return std::ranges::any_of(line, [&](const Dot& dot) {
    return std::abs(dot.x - box.centre.x) < box.half_width && std::abs(dot.y - box.centre.y) > box.half_height;
  });
}

// The box on the line, or just beside it, that is farthest from everything else. Beyond `enough`
// the first one found is kept; a box on its line is worth a little crowding.
std::optional<TextBox> best_box(const std::vector<Dot>& line, const std::vector<Crowd>& others, double half_width,
                                double width, double height, bool may_be_on_line) {
  constexpr double enough = 2, worth_of_line = 0.5;
  std::optional<TextBox> best;
  double most = 0.3;  // [mm] to anything else
  for (const Dot& dot : line)
    for (const double right : {0.0, 0.5, -0.5, 1.0, -1.0})
      for (const double up : {0.0, 0.6, -0.6, 0.8, -0.8, 1.2, -1.2}) {
        const TextBox box = {{dot.x + right * (half_width + 1), dot.y + up * line_height}, half_width};
        if (!box.is_inside(width, height)) continue;
        const bool on_line = right == 0 && up == 0;
        if (on_line && (!may_be_on_line || rises_past(box, line))) continue;
        const double to_line = on_line ? 1 : clearance(box, line, 2, 0.5);
        if (to_line < 0.5 || to_line > 1.2) continue;
        const double room = on_line ? clearance(box, 0, others, enough, 0) + worth_of_line
                                    : clearance(box, to_line, others, enough, most);
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

// One panel while texts are placed in it.
class Placing {
 public:
  explicit Placing(PlacedPanel& placed) : placed_(placed) {
    for (const Curve& curve : placed.curves)
      paths_.push_back(is_area(curve) ? std::vector<Dot>() : dense_path(curve, placed));
    for (const LineLabel& label : placed.line_labels) add_text(label);
  }

  // Whether there was room.
  bool place(std::size_t curve, const std::string& text, bool is_fit) {
    if (paths_[curve].empty()) return false;
    constexpr double from_dashes = 0.6;  // of a guide, which look like minus signs [mm]
    Crowd curves = {{}, 0, is_fit}, guides = {{}, is_fit ? from_dashes : 0};
    for (std::size_t k = 0; k < paths_.size(); ++k) {
      std::vector<Dot>& dots = is_reference(placed_.curves[k]) ? guides.dots : curves.dots;
      if (k != curve) dots.insert(dots.end(), paths_[k].begin(), paths_[k].end());
    }
    const std::vector<Crowd> others = {{texts_}, std::move(curves), std::move(guides)};
    const double half_width = label_width(text) / 2 + 0.4;
    const std::optional<TextBox> box =
        best_box(paths_[curve], others, half_width, placed_.width, placed_.height, !is_fit);
    if (!box) return false;
    LineLabel label = {text,
                       value_at(placed_.x, box->centre.x / placed_.width),
                       value_at(placed_.y, box->centre.y / placed_.height),
                       {}};
    if (is_fit) label.of = curve;
    placed_.line_labels.push_back(label);
    add_text(label);
    return true;
  }

  // Distance of a rectangle to everything drawn, 3 at most; negative where it is below `least`.
  double room(double left, double bottom, double width, double height, double least) const {
    const TextBox box = {{left + width / 2, bottom + height / 2}, width / 2, height / 2};
    double room = 3;
    for (const auto& path : paths_)
      if ((room = clearance(box, path, room, least)) < 0) return room;
    return clearance(box, texts_, room, least);
  }

 private:
  void add_text(const LineLabel& label) {
    const double x = placed_.x.place(label.x) * placed_.width, y = placed_.y.place(label.y) * placed_.height;
    const double half = label_width(label.text) / 2;
    for (double dx = -half; dx <= half; dx += 0.8)
      for (const double dy : {-1.2, 0.0, 1.2}) texts_.push_back({x + dx, y + dy, true});
  }

  PlacedPanel& placed_;
  std::vector<std::vector<Dot>> paths_;  // curve by curve
  std::vector<Dot> texts_;
};

}  // namespace

WithoutRoom place_line_labels(PlacedPanel& placed, bool guides_at_lines) {
  WithoutRoom left_out;
  Placing placing(placed);
  for (std::size_t i = 0; i < placed.curves.size(); ++i) {
    const Curve& curve = placed.curves[i];
    if (!is_reference(curve) || curve.label.empty() || curve.x.empty()) continue;
    if (!guides_at_lines || !placing.place(i, curve.label, false)) left_out.guides.push_back(curve.label);
  }
  for (std::size_t i = 0; i < placed.curves.size(); ++i) {
    const Curve& curve = placed.curves[i];
    if (!curve.fit || is_covered(placed, i)) continue;
    const std::string slope = interval_text(curve.fit->slope, curve.fit->half_width);
    if (!placing.place(i, slope, true)) left_out.fits.emplace_back(curve.label, slope);
  }
  return left_out;
}

std::optional<std::array<double, 2>> empty_place(const PlacedPanel& placed, double width, double height) {
  constexpr double margin = 2.5, enough = 1.2;  // [mm]; tics are in the margin
  if (std::ranges::any_of(placed.curves, is_area)) return std::nullopt;
  PlacedPanel copy = placed;
  const Placing placing(copy);
  std::optional<std::array<double, 2>> best;
  double most = enough;
  const double last_x = placed.width - width - margin, last_y = placed.height - height - margin;
  if (last_x < margin || last_y < margin) return std::nullopt;
  constexpr int steps = 24;
  for (int i = 0; i <= steps; ++i)
    for (int k = 0; k <= steps; ++k) {
      const double x = margin + (last_x - margin) * i / steps, y = margin + (last_y - margin) * k / steps;
      // A corner looks best, then a side.
      const double tidy = 0.6 * ((i == 0 || i == steps) + (k == 0 || k == steps));
      const double room = placing.room(x, y, width, height, enough);
      if (room < enough || room + tidy <= most) continue;
      most = room + tidy, best = {x, y};
    }
  return best;
}

}  // namespace daelab
