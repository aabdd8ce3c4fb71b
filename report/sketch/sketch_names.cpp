// Where the names of a sketch are.
#include <algorithm>
#include <cmath>

#include "report/layout/layout.hpp"
#include "report/layout/shown_text.hpp"
#include "report/sketch/sketch.hpp"

namespace daelab {
namespace {

constexpr double name_height = 2.6, sample_distance = 0.4;  // [mm]

std::vector<PaperPoint> samples(const std::vector<Stroke>& strokes) {
  std::vector<PaperPoint> points;
  for (const Stroke& stroke : strokes)
    for (std::size_t i = 0; i + 1 < stroke.path.size(); ++i) {
      const PaperPoint a = stroke.path[i], b = stroke.path[i + 1];
      const int parts = 1 + static_cast<int>(std::hypot(b.x - a.x, b.y - a.y) / sample_distance);
      for (int k = 0; k < parts; ++k) points.push_back({a.x + (b.x - a.x) * k / parts, a.y + (b.y - a.y) * k / parts});
    }
  return points;
}

}  // namespace

// The marks of subscripts are not printed.
double name_width(const std::string& name) {
  const auto marks = std::ranges::count(name, '_');
  constexpr double character_width = 1.4;  // of letters of sketches, most of them alone [mm]
  return character_width * static_cast<double>(text_width(name) - static_cast<std::size_t>(marks));
}

std::vector<PlacedName> placed_names(const std::vector<NameToPlace>& names, const std::vector<Stroke>& strokes,
                                     double width, double height) {
  const std::vector<PaperPoint> drawn = samples(strokes);
  std::vector<PlacedName> placed;
  for (const NameToPlace& name : names) {
    const double half_width = name_width(name.text) / 2 + 0.3, half_height = name_height / 2 + 0.1;
    const auto cost = [&](const PaperPoint& at) {
      double covered = 0;
      for (const PaperPoint& point : drawn)
        if (std::abs(point.x - at.x) < half_width && std::abs(point.y - at.y) < half_height) ++covered;
      for (const PlacedName& other : placed)
        if (std::abs(other.at.x - at.x) < half_width + name_width(other.text) / 2 &&
            std::abs(other.at.y - at.y) < half_height + name_height / 2)
          covered += 100;
      if (at.x < half_width || at.x > width - half_width || at.y < half_height || at.y > height - half_height)
        covered += 100;
      return covered;
    };
    if (name.places.empty()) continue;
    PaperPoint best = name.places.front();
    double least = cost(best);
    for (const PaperPoint& place : name.places)
      if (const double covered = cost(place); covered < least) best = place, least = covered;
    placed.push_back({name.text, best});
  }
  return placed;
}

}  // namespace daelab
