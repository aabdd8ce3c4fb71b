// Colours, markers and dashes of curves, for all formats alike.
#pragma once

#include <array>
#include <string>

#include "report/layout/layout.hpp"

namespace daelab {

/// Okabe and Ito's colour-blind-safe palette without its yellow, which is too light for lines on white; dark and light
/// alternate, so that neighbours differ in grey too. Markers and dashes repeat with other periods than the colours: no
/// two of the first 42 curves look alike.
inline constexpr std::array figure_colours = {"0072B2", "D55E00", "000000", "009E73", "CC79A7", "56B4E9", "E69F00"};

/// The same for texts, darkened to a contrast of 4.5 to white, from which on small print is read with ease [WCAG 2.2,
/// 1.4.3]; the sky blue has more green, because darkened it would be the blue.
inline constexpr std::array text_colours = {"0072B2", "BF5400", "000000", "00845F", "B0508A", "00809C", "966800"};

/// A marker in gnuplot and in pgfplots, filled and hollow; of two that coincide the larger is drawn first.
struct Marker {
  int filled, hollow;
  const char *pgf_filled, *pgf_hollow;
  double size;
};
inline constexpr std::array figure_markers = {
    Marker{7, 6, "*", "o", 1.2},
    Marker{5, 4, "square*", "square", 0.9},
    Marker{9, 8, "triangle*", "triangle", 1.1},
    Marker{13, 12, "diamond*", "diamond", 1.2},
    Marker{11, 10, "triangle*,mark options={rotate=180}", "triangle,mark options={rotate=180}", 1.1},
    Marker{15, 14, "pentagon*", "pentagon", 1.1}};

/// Lengths of dashes and gaps, in gnuplot's units; "1": a line without gaps.
inline constexpr std::array figure_dashes = {"1", "(9,4)", "(3,3)", "(9,3,2,3)", "(14,4)"};

/// How one curve is drawn.
struct Drawing {
  bool area = false, line = false, markers = false, thin = false;
  std::size_t colour = 0, dash = 0;
  Marker marker = figure_markers[0];
  std::size_t marker_step = 1;  // one marker for so many points
  double opacity = 0.2;         // of an area
};

/// Lines of several curves carry a few markers, because dashes alone are lost on a noisy curve; a boundary is told
/// apart by its area.
Drawing drawing_of(const Curve& curve, const Layout& layout);

/// What the legend shows for an entry. Colours alone are lines, markers alone are black.
Drawing sample_of(const PlacedEntry& entry, const Layout& layout);

}  // namespace daelab
