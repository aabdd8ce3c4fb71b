// Curves that cannot be told apart on paper are one, with the names of all.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/layout/layout.hpp"

namespace daelab {

/// The labels of all curves but reference lines, in the order of the curves.
std::vector<Label> labels_of(const std::vector<PlacedPanel>& panels);

/// Keeps one of the curves that coincide in all panels and names it by all of them: "double and 50 digits". Where
/// colours and markers have no meaning of their own, so is a curve whose points are points of another. Needs the axes.
void merge_coincident(std::vector<PlacedPanel>& panels);

/// What is left of them, because their colours and markers have a meaning each: groups of labels.
std::vector<std::vector<std::string>> coinciding_labels(const PlacedPanel& placed);

/// Whether a curve that is drawn later hides curve number `i`.
bool is_covered(const PlacedPanel& placed, std::size_t i);

}  // namespace daelab
