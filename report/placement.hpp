// Texts and legends where they hide no data.
#pragma once

#include "report/layout.hpp"

namespace daelab {

/// Texts of reference lines on or beside them, and slopes of fits beside their curves. A text that would hide data is
/// left out; the labels of such reference lines are returned.
std::vector<std::string> place_line_labels(PlacedPanel& placed, bool with_fits);

/// Lower left corner, in the plot area, of an empty place of this size [mm]; nothing where there is none.
std::optional<std::array<double, 2>> empty_place(const PlacedPanel& placed, double width, double height);

}  // namespace daelab
