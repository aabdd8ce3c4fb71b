// Curves that cannot be told apart on paper are one, with the names of all.
#pragma once

#include <vector>

#include "report/layout.hpp"

namespace daelab {

/// The labels of all curves but reference lines, in the order of the curves.
std::vector<Label> labels_of(const std::vector<PlacedPanel>& panels);

/// Keeps one of the curves that coincide in all panels and names it by all of them: "double and 50 digits". Needs the
/// axes.
void merge_coincident(std::vector<PlacedPanel>& panels);

}  // namespace daelab
