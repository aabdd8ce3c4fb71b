// Figures as source of pgfplots: their labels are set in the font of the paper.
#pragma once

#include <string>

#include "report/layout/layout.hpp"
#include "report/sketch/sketch.hpp"

namespace daelab {

/// What the preamble of a document needs.
inline constexpr const char* pgf_preamble = "\\usepackage{pgfplots}\\pgfplotsset{compat=1.16}";

/// A tikzpicture with an axis for each panel.
std::string figure_to_pgf(const Layout& layout);

/// A tikzpicture of a sketch.
std::string sketch_to_pgf(const SketchPage& page);

}  // namespace daelab
