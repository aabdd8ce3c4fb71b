// Outlines: the picture of a mechanism, for sketches and animations.
//
// Shapes in the order they are drawn in; their points and radii are expressions of t and q in the graph of the
// recording, in the unit of length of the problem. Symbols such as springs and joints have a size on paper, not in the
// mechanism.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "core/expressions/expression.hpp"

namespace daelab {

enum class ShapeKind {
  line,       // 2 points or more: a rod, a wire, a path
  polygon,    // 3 or more: a body, filled
  circle,     // centre and radius: a disc, filled
  spring,     // from, to
  damper,     // from, to
  joint,      // a pin between bodies
  support,    // a pin on the ground
  guide,      // a sliding joint, and a point of its line
  mass,       // a point that bears mass
  ground,     // from, to: a wall or floor, hatched on the right of the way
  axis,       // from, to: thin and dashed
  arrow,      // from, to: a force, a direction
  angle,      // vertex, a point on the first side, one on the second: an arc with an arrow
  dimension,  // from, to: a length
  label       // a point with a name
};
/// In the order of the enumerators: the words of problems in JSON.
const std::vector<std::string>& names_of(ShapeKind);
/// How many points a shape has: at least and at most.
std::array<std::size_t, 2> point_counts(ShapeKind kind);

/// Planar outlines leave z zero.
struct OutlinePoint {
  Expression x, y, z = {};
};

struct Shape {
  ShapeKind kind{};
  std::vector<OutlinePoint> points;
  std::string name = "";  // written beside it; "l_1" is printed as l with a subscript
  double side = 1;        // of dimensions: 1 left of the way from the first point to the second, -1 right of it; 2, -2:
                          // twice as far
  Expression radius = {};  // of circles
};

/// A shape on paper, in the unit of length of the problem; y points up.
struct DrawnShape {
  ShapeKind kind{};
  std::vector<std::array<double, 2>> points;
  double radius = 0, side = 1;
  std::string name;
};

/// From where an outline in space is seen.
struct View {
  double azimuth = -60, elevation = 25;  // [deg]; azimuth -90: along y, x to the right; elevation 90: from above
};

struct Outline {
  std::vector<Shape> shapes;
  bool is_spatial = false;  // otherwise points are (x, y) of the paper
  View view;

  void add(ShapeKind kind, std::vector<OutlinePoint> points, std::string name = "", double side = 1) {
    shapes.push_back({kind, std::move(points), std::move(name), side});
  }
  void line(std::vector<OutlinePoint> points, std::string name = "") { add(ShapeKind::line, points, name); }
  void polygon(std::vector<OutlinePoint> points, std::string name = "") { add(ShapeKind::polygon, points, name); }
  void circle(const OutlinePoint& centre, const Expression& radius, std::string name = "") {
    shapes.push_back({ShapeKind::circle, {centre}, std::move(name), 1, radius});
  }
  void spring(const OutlinePoint& from, const OutlinePoint& to, std::string name = "") {
    add(ShapeKind::spring, {from, to}, name);
  }
  void damper(const OutlinePoint& from, const OutlinePoint& to, std::string name = "") {
    add(ShapeKind::damper, {from, to}, name);
  }
  void joint(const OutlinePoint& at, std::string name = "") { add(ShapeKind::joint, {at}, name); }
  void support(const OutlinePoint& at, std::string name = "") { add(ShapeKind::support, {at}, name); }
  void guide(const OutlinePoint& at, const OutlinePoint& along, std::string name = "") {
    add(ShapeKind::guide, {at, along}, name);
  }
  void mass(const OutlinePoint& at, std::string name = "") { add(ShapeKind::mass, {at}, name); }
  void ground(const OutlinePoint& from, const OutlinePoint& to) { add(ShapeKind::ground, {from, to}); }
  void axis(const OutlinePoint& from, const OutlinePoint& to, std::string name = "") {
    add(ShapeKind::axis, {from, to}, name);
  }
  void arrow(const OutlinePoint& from, const OutlinePoint& to, std::string name = "") {
    add(ShapeKind::arrow, {from, to}, name);
  }
  void angle(const OutlinePoint& vertex, const OutlinePoint& from, const OutlinePoint& to, std::string name) {
    add(ShapeKind::angle, {vertex, from, to}, name);
  }
  void dimension(const OutlinePoint& from, const OutlinePoint& to, std::string name, double side = 1) {
    add(ShapeKind::dimension, {from, to}, name, side);
  }
  void label(const OutlinePoint& at, std::string name) { add(ShapeKind::label, {at}, name); }
};

}  // namespace daelab
