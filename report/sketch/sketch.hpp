// Sketches of mechanisms: shapes become strokes and texts on paper, in millimetres from its lower left corner.
#pragma once

#include <string>
#include <vector>

#include "core/mechanism/outline.hpp"

namespace daelab {

struct PaperPoint {
  double x = 0, y = 0;
};

enum class Pen {
  body,    // thick line
  fill,    // area of a body, with its border
  thin,    // symbols: springs, supports
  white,   // area with a thin border: joints
  solid,   // black area: masses, arrow heads
  dashed,  // axes
  force,   // arrows
  force_head
};

struct Stroke {
  Pen pen{};
  std::vector<PaperPoint> path;
};

/// Centred there.
struct PlacedName {
  std::string text;
  PaperPoint at;
};

struct SketchPage {
  double width = 0, height = 0;
  std::vector<Stroke> strokes;  // in the order they are drawn in
  std::vector<PlacedName> names;
};

/// Scales the shapes to the width of a journal column, draws symbols in their size on paper, and places names where
/// they hide nothing.
SketchPage sketch_page(const std::vector<DrawnShape>& shapes);

/// A name that is beside something: the places it may take, the best ones first.
struct NameToPlace {
  std::string text;
  std::vector<PaperPoint> places;
};
/// One after the other, each where it covers least of the strokes and of the names before it.
std::vector<PlacedName> placed_names(const std::vector<NameToPlace>& names, const std::vector<Stroke>& strokes,
                                     double width, double height);
/// For a name as it is printed [mm].
double name_width(const std::string& name);

/// The page as a script and its data, which draws <stem>.svg and <stem>.pdf.
struct FigureFiles {
  std::string script, data;
};
FigureFiles sketch_files(const SketchPage& page, const std::string& stem, const std::string& prologue);

}  // namespace daelab
