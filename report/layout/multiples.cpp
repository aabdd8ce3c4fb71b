#include "report/layout/multiples.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "report/layout/coincidence.hpp"

namespace daelab {
namespace {

// The curves with one value of a factor, without it in their labels.
PlacedPanel with_value(const PlacedPanel& placed, const std::string& factor, const std::string& value) {
  PlacedPanel part = placed;
  part.title = value;
  std::erase_if(part.curves,
                [&](const Curve& curve) { return !is_reference(curve) && value_of(curve.factors, factor) != value; });
  for (Curve& curve : part.curves) {
    if (is_reference(curve)) continue;
    std::erase_if(curve.factors, [&](const Factor& one) { return one.name == factor; });
    curve.label = joined_values(curve.factors);
  }
  return part;
}

// So many lengths of the y axis a curve goes up and down.
double roughness(const Curve& curve, const Axis& y) {
  double way = 0;
  for (std::size_t i = 1; i < curve.y.size(); ++i) way += std::abs(y.place(curve.y[i]) - y.place(curve.y[i - 1]));
  return way;
}

bool is_rough(const Curve& curve, const Axis& y) {
  constexpr double rough = 12;
  return curve.style == CurveStyle::line && roughness(curve, y) > rough;
}

}  // namespace

void split_panels(Layout& layout) {
  const std::size_t across = layout.width < 1.5 * journal_column ? 2 : 3, rows = layout.panels.size();
  const std::string factor = panel_factor(labels_of(layout.panels), rows == 1 ? 3 * across : across);
  if (factor.empty()) return;
  std::vector<std::string> values;
  for (const Label& label : labels_of(layout.panels))
    if (const std::string value = value_of(label.factors, factor); std::ranges::find(values, value) == values.end())
      values.push_back(value);
  std::vector<PlacedPanel> panels;
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t v = 0; v < values.size(); ++v) {
      PlacedPanel& part = panels.emplace_back(with_value(layout.panels[r], factor, values[v]));
      part.row = rows == 1 ? v / across : r, part.column = rows == 1 ? v % across : v;
    }
  layout.panels = std::move(panels);
  layout.columns = std::min(values.size(), across);
  layout.rows = layout.panels.back().row + 1;
}

void untangle(Layout& layout) {
  constexpr std::size_t fewest = 2, most = 6;
  const std::vector<Label> labels = labels_of(layout.panels);
  if (layout.panels.size() != 1 || labels.size() < fewest || labels.size() > most) return;
  const PlacedPanel& all = layout.panels.front();
  const auto tangled = std::ranges::count_if(all.curves, [&](const Curve& curve) { return is_rough(curve, all.y); });
  if (static_cast<std::size_t>(tangled) < fewest) return;
  std::vector<PlacedPanel> panels;
  for (const Label& label : labels) {
    PlacedPanel& part = panels.emplace_back(all);
    part.title = label.text, part.row = panels.size() - 1;
    std::erase_if(part.curves, [&](const Curve& curve) { return !is_reference(curve) && curve.label != label.text; });
    for (Curve& curve : part.curves)
      if (!is_reference(curve)) curve.label.clear(), curve.factors.clear();
  }
  layout.panels = std::move(panels), layout.rows = labels.size();
}

void mark_rough_curves(std::vector<PlacedPanel>& panels) {
  std::set<std::string> rough;
  for (const PlacedPanel& placed : panels)
    for (const Curve& curve : placed.curves)
      if (is_rough(curve, placed.y)) rough.insert(curve.label);
  for (PlacedPanel& placed : panels)
    for (Curve& curve : placed.curves) curve.is_rough = !is_reference(curve) && rough.contains(curve.label);
}

}  // namespace daelab
