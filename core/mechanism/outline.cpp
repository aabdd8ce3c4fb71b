#include "core/mechanism/outline.hpp"

namespace daelab {

const std::vector<std::string>& names_of(ShapeKind) {
  static const std::vector<std::string> names{"line",  "polygon", "circle", "spring",    "damper",
                                              "joint", "support", "guide",  "mass",      "ground",
                                              "axis",  "arrow",   "angle",  "dimension", "label"};
  return names;
}

std::array<std::size_t, 2> point_counts(ShapeKind kind) {
  constexpr std::size_t most = 1000;
  switch (kind) {
    case ShapeKind::line:
      return {2, most};
    case ShapeKind::polygon:
      return {3, most};
    case ShapeKind::angle:
      return {3, 3};
    case ShapeKind::spring:
    case ShapeKind::damper:
    case ShapeKind::guide:
    case ShapeKind::ground:
    case ShapeKind::axis:
    case ShapeKind::arrow:
    case ShapeKind::dimension:
      return {2, 2};
    case ShapeKind::circle:
    case ShapeKind::joint:
    case ShapeKind::support:
    case ShapeKind::mass:
    case ShapeKind::label:
      return {1, 1};
  }
  return {1, 1};
}

}  // namespace daelab
