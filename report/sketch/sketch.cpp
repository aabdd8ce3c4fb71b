#include "report/sketch/sketch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "report/layout/layout.hpp"

namespace daelab {
namespace {

// Symbols [mm].
constexpr double least_margin = 9, highest = 75, room_for_name = 3.5;
constexpr double joint_radius = 0.75, mass_radius = 0.95, support_height = 2.8, hatch = 1.3, head = 1.9;
constexpr double dimension_distance = 4.5, name_distance = 2.4, arc_radius = 6.5;

PaperPoint operator+(const PaperPoint& a, const PaperPoint& b) { return {a.x + b.x, a.y + b.y}; }
PaperPoint operator-(const PaperPoint& a, const PaperPoint& b) { return {a.x - b.x, a.y - b.y}; }
PaperPoint operator*(double k, const PaperPoint& a) { return {k * a.x, k * a.y}; }
PaperPoint left_of(const PaperPoint& way) { return {-way.y, way.x}; }
double length(const PaperPoint& way) { return std::hypot(way.x, way.y); }
PaperPoint unit(const PaperPoint& way) {
  const double l = length(way);
  return l > 0 ? PaperPoint{way.x / l, way.y / l} : PaperPoint{1, 0};
}
PaperPoint at_angle(double angle, double radius) { return {radius * std::cos(angle), radius * std::sin(angle)}; }

// What encloses all shapes.
struct Box {
  double x0 = std::numeric_limits<double>::infinity(), y0 = x0, x1 = -x0, y1 = -x0;

  void take(double x, double y) {
    x0 = std::min(x0, x), x1 = std::max(x1, x), y0 = std::min(y0, y), y1 = std::max(y1, y);
  }
};

Box box_of(const std::vector<DrawnShape>& shapes) {
  Box box;
  for (const DrawnShape& shape : shapes)
    for (const auto& [x, y] : shape.points) {
      box.take(x - shape.radius, y - shape.radius);
      box.take(x + shape.radius, y + shape.radius);
    }
  return box;
}

// Around the shapes [mm], for symbols, dimensions and names.
struct Margins {
  double left = least_margin, right = least_margin, bottom = least_margin, top = least_margin;
};

class Sketcher {
 public:
  explicit Sketcher(const std::vector<DrawnShape>& shapes, const Margins& margins = {})
      : shapes_(shapes), box_(box_of(shapes)) {
    const double width = box_.x1 - box_.x0, height = box_.y1 - box_.y0;
    const double room = journal_column - margins.left - margins.right;
    scale_ = std::min(room / std::max(width, 1e-300), highest / std::max(height, 1e-300));
    page_.width = journal_column;
    page_.height = scale_ * height + margins.bottom + margins.top;
    left_ = margins.left + (room - scale_ * width) / 2, bottom_ = margins.bottom;
  }

  /// What symbols and dimensions take around the shapes, and a name beside them: dimensions may be far away.
  Margins needed() {
    for (const DrawnShape& shape : shapes_) draw(shape);
    Box drawn;
    for (const Stroke& stroke : page_.strokes)
      for (const PaperPoint& point : stroke.path) drawn.take(point.x, point.y);
    const auto margin = [](double overhang) { return std::max(least_margin, overhang + room_for_name); };
    const double right = left_ + scale_ * (box_.x1 - box_.x0), top = bottom_ + scale_ * (box_.y1 - box_.y0);
    return {margin(left_ - drawn.x0), margin(drawn.x1 - right), margin(bottom_ - drawn.y0), margin(drawn.y1 - top)};
  }

  SketchPage page() {
    for (const DrawnShape& shape : shapes_) draw(shape);
    page_.strokes.insert(page_.strokes.end(), front_.begin(), front_.end());
    page_.names = placed_names(names_, page_.strokes, page_.width, page_.height);
    return std::move(page_);
  }

 private:
  PaperPoint place(const std::array<double, 2>& point) const {
    return {left_ + scale_ * (point[0] - box_.x0), bottom_ + scale_ * (point[1] - box_.y0)};
  }
  void stroke(Pen pen, std::vector<PaperPoint> path) { page_.strokes.push_back({pen, std::move(path)}); }
  void disc(Pen pen, const PaperPoint& centre, double radius, std::vector<Stroke>& strokes) const {
    constexpr int sides = 48;
    Stroke& circle = strokes.emplace_back(Stroke{pen, {}});
    for (int i = 0; i <= sides; ++i) circle.path.push_back(centre + at_angle(2 * M_PI * i / sides, radius));
  }

  void draw(const DrawnShape& shape) {
    std::vector<PaperPoint> p;
    for (const auto& point : shape.points) p.push_back(place(point));
    switch (shape.kind) {
      case ShapeKind::line:
        stroke(Pen::body, p);
        return name_along(shape.name, p);
      case ShapeKind::polygon:
        return draw_polygon(p, shape.name);
      case ShapeKind::circle:
        disc(Pen::fill, p[0], scale_ * shape.radius, page_.strokes);
        return name_beside(shape.name, p[0], scale_ * shape.radius);
      case ShapeKind::spring:
        return draw_spring(p[0], p[1], shape.name);
      case ShapeKind::damper:
        return draw_damper(p[0], p[1], shape.name);
      case ShapeKind::joint:
        disc(Pen::white, p[0], joint_radius, front_);
        return name_beside(shape.name, p[0], joint_radius);
      case ShapeKind::support:
        return draw_support(p[0], shape.name);
      case ShapeKind::guide:
        return draw_guide(p[0], p[1], shape.name);
      case ShapeKind::mass:
        disc(Pen::solid, p[0], mass_radius, front_);
        return name_beside(shape.name, p[0], mass_radius);
      case ShapeKind::ground:
        return draw_ground(p[0], p[1]);
      case ShapeKind::axis:
        stroke(Pen::dashed, p);
        return name_beside(shape.name, p[1], 0);
      case ShapeKind::arrow:
        draw_arrow(p[0], p[1]);
        return name_beside(shape.name, p[1], 0);
      case ShapeKind::angle:
        return draw_angle(p, shape.name);
      case ShapeKind::dimension:
        return draw_dimension(p[0], p[1], shape.side, shape.name);
      case ShapeKind::label:
        return name_beside(shape.name, p[0], 0);
    }
  }

  void draw_polygon(std::vector<PaperPoint> p, const std::string& name) {
    PaperPoint centre;
    for (const PaperPoint& point : p) centre = centre + (1.0 / static_cast<double>(p.size())) * point;
    p.push_back(p.front());
    stroke(Pen::fill, std::move(p));
    if (!name.empty()) names_.push_back({name, {centre, centre + PaperPoint{0, 2}, centre - PaperPoint{0, 2}}});
  }
  void draw_spring(const PaperPoint& from, const PaperPoint& to, const std::string& name) {
    constexpr int half_turns = 12;
    constexpr double width = 1.3, straight = 0.15;
    const PaperPoint way = to - from, aside = left_of(unit(way));
    std::vector<PaperPoint> path{from, from + straight * way};
    for (int i = 0; i < half_turns; ++i) {
      const double along = straight + (1 - 2 * straight) * (i + 0.5) / half_turns;
      path.push_back(from + along * way + (i % 2 == 0 ? width : -width) * aside);
    }
    path.insert(path.end(), {to - straight * way, to});
    stroke(Pen::thin, std::move(path));
    name_along(name, {from, to}, width);
  }
  void draw_damper(const PaperPoint& from, const PaperPoint& to, const std::string& name) {
    constexpr double width = 1.3;
    const PaperPoint way = to - from, aside = width * left_of(unit(way));
    const PaperPoint bottom = from + 0.35 * way, rim = from + 0.65 * way, piston = from + 0.5 * way;
    stroke(Pen::thin, {from, bottom});
    stroke(Pen::thin, {rim + aside, bottom + aside, bottom - aside, rim - aside});
    stroke(Pen::thin, {piston + 0.8 * aside, piston - 0.8 * aside});
    stroke(Pen::thin, {piston, to});
    name_along(name, {from, to}, width);
  }
  void draw_hatching(const PaperPoint& from, const PaperPoint& to) {
    const PaperPoint along = unit(to - from), back = left_of(along);
    const int count = std::max(2, static_cast<int>(length(to - from) / hatch));
    for (int i = 0; i < count; ++i) {
      const PaperPoint top = from + (i + 0.8) / count * (to - from);
      stroke(Pen::thin, {top, top - hatch * 0.8 * along - hatch * back});
    }
  }
  void draw_support(const PaperPoint& at, const std::string& name) {
    const PaperPoint left = at + PaperPoint{-0.6 * support_height, -support_height};
    const PaperPoint right = at + PaperPoint{0.6 * support_height, -support_height};
    stroke(Pen::white, {at, left, right, at});
    stroke(Pen::thin, {left - PaperPoint{0.8, 0}, right + PaperPoint{0.8, 0}});
    draw_hatching(left - PaperPoint{0.8, 0}, right + PaperPoint{0.8, 0});
    disc(Pen::white, at, joint_radius, front_);
    name_beside(name, at, joint_radius);
  }
  void draw_guide(const PaperPoint& at, const PaperPoint& along, const std::string& name) {
    constexpr double half_length = 2.6, half_width = 1.6, reach = 7.5;
    const PaperPoint ahead = unit(along - at), aside = left_of(ahead);
    const PaperPoint from = at - reach * ahead - half_width * aside, to = at + reach * ahead - half_width * aside;
    stroke(Pen::thin, {from, to});
    draw_hatching(from, to);
    const PaperPoint corner = half_length * ahead, edge = half_width * aside;
    stroke(Pen::fill,
           {at - corner - edge, at + corner - edge, at + corner + edge, at - corner + edge, at - corner - edge});
    name_beside(name, at, half_length);
  }
  void draw_ground(const PaperPoint& from, const PaperPoint& to) {
    stroke(Pen::thin, {from, to});
    draw_hatching(from, to);
  }
  void draw_head(const PaperPoint& tip, const PaperPoint& way, Pen pen, double size = head) {
    const PaperPoint back = tip - size * unit(way), aside = 0.28 * size * left_of(unit(way));
    stroke(pen, {tip, back + aside, back - aside, tip});
  }
  void draw_arrow(const PaperPoint& from, const PaperPoint& to) {
    stroke(Pen::force, {from, to - 0.8 * head * unit(to - from)});
    draw_head(to, to - from, Pen::force_head);
  }
  void draw_angle(const std::vector<PaperPoint>& p, const std::string& name) {
    const PaperPoint first = p[1] - p[0], second = p[2] - p[0];
    const double radius = std::clamp(0.6 * std::min(length(first), length(second)), 3.0, arc_radius);
    const double begin = std::atan2(first.y, first.x);
    const double turn = std::remainder(std::atan2(second.y, second.x) - begin, 2 * M_PI);
    constexpr double least_turn = 0.05;
    if (std::abs(turn) < least_turn) return;
    std::vector<PaperPoint> arc;
    constexpr int parts = 32;
    for (int i = 0; i <= parts; ++i) arc.push_back(p[0] + at_angle(begin + turn * i / parts, radius));
    stroke(Pen::dashed, {p[0], p[0] + (radius + 2) * unit(first)});
    stroke(Pen::thin, arc);
    const bool room_for_head = radius * std::abs(turn) > 1.2 * head;
    if (room_for_head) draw_head(arc.back(), arc.back() - arc[arc.size() - 4], Pen::solid, 0.8 * head);
    std::vector<PaperPoint> places;
    for (const double far : {name_distance, 1.6 * name_distance, -name_distance})
      for (const double part : {0.5, 0.3, 0.7}) places.push_back(p[0] + at_angle(begin + part * turn, radius + far));
    names_.push_back({name, places});
  }
  void draw_dimension(const PaperPoint& from, const PaperPoint& to, double side, const std::string& name) {
    const PaperPoint aside = left_of(unit(to - from)), away = side * dimension_distance * aside;
    const PaperPoint a = from + away, b = to + away, over = (side < 0 ? -1.0 : 1.0) * aside;
    stroke(Pen::thin, {from + 0.8 * over, a + over});
    stroke(Pen::thin, {to + 0.8 * over, b + over});
    const bool is_short = length(b - a) < 3 * head;
    const PaperPoint ahead = unit(b - a);
    stroke(Pen::thin, is_short ? std::vector{a - 4.0 * ahead, b + 4.0 * ahead} : std::vector{a, b});
    draw_head(a, is_short ? ahead : -1.0 * ahead, Pen::solid, 0.8 * head);
    draw_head(b, is_short ? -1.0 * ahead : ahead, Pen::solid, 0.8 * head);
    name_along(name, {a, b}, side < 0 ? -0.01 : 0.01);
  }

  // Beside the longest part; on the side of a positive distance first.
  void name_along(const std::string& name, const std::vector<PaperPoint>& path, double thickness = 0) {
    if (name.empty()) return;
    std::size_t longest = 0;
    for (std::size_t i = 0; i + 1 < path.size(); ++i)
      if (length(path[i + 1] - path[i]) > length(path[longest + 1] - path[longest])) longest = i;
    const PaperPoint from = path[longest], way = path[longest + 1] - path[longest], aside = left_of(unit(way));
    // Half the extent of the name across the line.
    const double half = std::abs(aside.x) * name_width(name) / 2 + std::abs(aside.y) * 1.3;
    std::vector<PaperPoint> places;
    for (const double part : {0.5, 0.35, 0.65, 0.2, 0.8})
      for (const double side : {1.0, -1.0})
        places.push_back(from + part * way +
                         (thickness < 0 ? -side : side) * (half + std::abs(thickness) + 0.5) * aside);
    names_.push_back({name, places});
  }
  void name_beside(const std::string& name, const PaperPoint& at, double radius) {
    if (name.empty()) return;
    const double wide = radius + 0.8 + name_width(name) / 2, high = radius + 1.9;
    std::vector<PaperPoint> places;
    for (const double far : {1.0, 1.5})
      for (const auto& [x, y] : {std::pair(0.9, 0.8),
                                 {-0.9, 0.8},
                                 {0.9, -0.8},
                                 {-0.9, -0.8},
                                 {1.0, 0.0},
                                 {-1.0, 0.0},
                                 {0.0, 1.0},
                                 {0.0, -1.0}})
        places.push_back(at + far * PaperPoint{x * wide, y * high});
    names_.push_back({name, places});
  }

  const std::vector<DrawnShape>& shapes_;
  Box box_;
  double scale_ = 1, left_ = 0, bottom_ = 0;
  SketchPage page_;
  std::vector<Stroke> front_;  // joints and masses lie on the bodies
  std::vector<NameToPlace> names_;
};

}  // namespace

SketchPage sketch_page(const std::vector<DrawnShape>& shapes) {
  return Sketcher(shapes, Sketcher(shapes).needed()).page();
}

}  // namespace daelab
