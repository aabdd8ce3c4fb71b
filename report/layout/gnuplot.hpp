// gnuplot as a child process, and what all scripts for it have in common.
#pragma once

#include <string>
#include <vector>

namespace daelab {

/// What a script for gnuplot draws: <folder>/<stem>.gp writes <stem>.svg, .pdf or .png beside itself.
struct GnuplotScript {
  std::string folder, stem;
  std::string title;  // of a PDF
  std::vector<std::string> formats;
};

/// Draws them, and makes what gnuplot wrote fit for keeping: a PDF has its title and not the time of its making, an SVG
/// names fonts for machines without ours, and both have the same bytes again. One process draws them all, since its
/// start takes longer than a figure. Throws std::runtime_error with gnuplot's own message when a script fails, when it
/// does not write what it should, or when gnuplot is not installed.
void draw(const std::vector<GnuplotScript>& scripts);

/// Opens a loop over `formats`, with the output <stem>.<format> of this size [mm]: one font of 7 pt and one width of
/// lines in all of them; `points` is the size of markers. Close it with "}".
std::string open_terminals(const std::string& stem, double width, double height);

}  // namespace daelab
