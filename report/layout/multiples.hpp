// Small multiples: panels for curves that would hide each other in one.
#pragma once

#include "report/layout/layout.hpp"

namespace daelab {

/// Panels beside each other for the values of a factor, where the legend would be too long; the panels of a figure keep
/// their rows.
void split_panels(Layout& layout);

/// Several curves that each fill the only panel hide each other: a panel below another for each, with its label as
/// title.
void untangle(Layout& layout);

/// Marks the curves that go up and down so often that the gaps of dashes would be lost on them, in all panels if they
/// do it in one.
void mark_rough_curves(std::vector<PlacedPanel>& panels);

}  // namespace daelab
