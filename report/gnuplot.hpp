// gnuplot as a child process, and what all scripts for it have in common.
#pragma once

#include <string>

namespace daelab {

/// Runs `gnuplot -e <setup> <script>` in `folder`. Throws std::runtime_error with gnuplot's own
/// message when it fails or is not installed.
void run_gnuplot(const std::string& folder, const std::string& script, const std::string& setup);

/// Opens a loop over `formats`, with the output <stem>.<format> of this size [mm]: one font of 7 pt and one width of
/// lines in all of them; `points` is the size of markers. Close it with "}".
std::string open_terminals(const std::string& stem, double width, double height);

/// What gnuplot wrote, made fit for keeping: a PDF with this title and without the time of its making, so that it has
/// the same bytes again, and an SVG that names fonts for machines without ours.
void finish_drawing(const std::string& path, const std::string& title);

}  // namespace daelab
