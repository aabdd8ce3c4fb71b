// The legend of a figure: inside the frame where there is room, else beside it, else below it.
#pragma once

#include "report/layout/layout.hpp"

namespace daelab {

/// Places all panels of a layout, for a legend that needs so much of the right side and of the bottom [mm].
using PlacePanels = void (*)(Layout& layout, double beside, double below);

/// Places panels, the texts in them, and the legend.
void place_legend(Layout& layout, PlacePanels place_panels);

}  // namespace daelab
