// How curves are told apart: one factor by colour, another by marker and dash, each with entries of its own in the
// legend; curves that coincide are one.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "results/artifacts.hpp"

namespace daelab {

/// More entries than this are not read at a glance.
inline constexpr std::size_t most_legend_entries = 8;

/// Places in the lists of colours, and of markers and dashes.
struct Look {
  std::size_t colour = 0, marker = 0;
  bool operator==(const Look&) const = default;
};

/// A line of the legend.
struct LegendEntry {
  std::string text;
  std::optional<std::size_t> colour, marker;  // what it explains; both: one curve
  std::string label = {};                     // of a curve that looks like it
  bool guide = false;                         // a reference line that has no room for its text
};

/// What is told apart: the labels of a figure's curves in the order of these, with their factors.
struct Label {
  std::string text;
  std::vector<Factor> factors;
};

/// Adds the labels of series or curves, but of reference lines, that are not among `labels` yet.
template <class Curves>
void add_labels(const Curves& curves, std::vector<Label>& labels) {
  for (const auto& curve : curves)
    if (curve.style != CurveStyle::reference && !curve.label.empty() &&
        std::ranges::find(labels, curve.label, &Label::text) == labels.end())
      labels.push_back({curve.label, curve.factors});
}

struct Channels {
  std::vector<LegendEntry> legend;
  std::map<std::string, Look> looks;  // by label
};

/// Colours for the values of one factor and markers for the rest, where that makes the legend shorter; else a colour
/// and a marker for each.
Channels choose_channels(const std::vector<Label>& labels);

/// The factor whose values become panels beside each other, so that no legend has more than `most_legend_entries`; ""
/// where none does it, or the legend is short as it is. Not more than `most_panels` of them.
std::string panel_factor(const std::vector<Label>& labels, std::size_t most_panels);

/// The value of a factor; "" where a label has none.
std::string value_of(const std::vector<Factor>& factors, const std::string& name);

/// "gauss, s = 2, index-2"
std::string joined_values(const std::vector<Factor>& factors);

/// What all labels have in common, where there are several and none is left empty by it.
std::vector<Factor> common_factors(const std::vector<Label>& labels);

/// What all curves of a figure have in common goes from their labels into its caption.
Figure with_constants_in_caption(Figure figure);

}  // namespace daelab
