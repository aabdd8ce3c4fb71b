// A figure as a script of gnuplot and its data, which an author can edit and run again.
#pragma once

#include <string>

#include "report/layout/layout.hpp"
#include "report/sketch/sketch.hpp"

namespace daelab {

/// Text as comment lines of scripts: "# ...", broken between words.
std::string script_comment(const std::string& text);

/// Draws <stem>.svg, <stem>.pdf and <stem>.png from <stem>.dat.
FigureFiles figure_files(const Layout& layout, const std::string& stem, const std::string& heading);

}  // namespace daelab
