// Texts and legends where they hide no data.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "report/layout/layout.hpp"

namespace daelab {

/// Texts that would hide data.
struct WithoutRoom {
  std::vector<std::string> guides;                        // of reference lines
  std::vector<std::pair<std::string, std::string>> fits;  // label of the curve, slope
};

/// Texts of reference lines on or beside them, if they are to be there, and slopes of fits beside their curves, of
/// curves that coincide once: nearer to their own curve than to any other, and on no reference line, whose dashes would
/// look like minus signs. Returns the texts that are left out.
WithoutRoom place_line_labels(PlacedPanel& placed, bool guides_at_lines);

/// Lower left corner, in the plot area, of an empty place of this size [mm]; nothing where there is none.
std::optional<std::array<double, 2>> empty_place(const PlacedPanel& placed, double width, double height);

}  // namespace daelab
