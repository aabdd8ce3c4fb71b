// Labels of figures as mathematics: letters that are symbols in italics, subscripts and superscripts; for gnuplot, for
// LaTeX, and how wide they are.
#pragma once

#include <string>
#include <vector>

#include "report/layout/shown_text.hpp"

namespace daelab {

/// A stretch of a label.
struct TextPiece {
  enum class Level { line, subscript, superscript };
  std::string text;
  bool italic = false;
  Level level = Level::line;
};

/// "error of q at t = 1 s": q and t are symbols, a letter in brackets or after a number is a unit. "q1" and "λ_min"
/// have subscripts, "10^-6" a superscript. Marks that change the direction of text are shown by their numbers.
std::vector<TextPiece> pieces_of(const std::string& label);

/// The label as gnuplot's `set label` takes it: quoted, and followed by noenhanced where it has marks of gnuplot.
std::string gnuplot_label(const std::string& label);

/// The label in running text of LaTeX; `plain` writes the pieces between symbols.
std::string latex_label(const std::string& label, std::string (*plain)(const std::string&) = escape_latex);

/// Width in the font of figures, Liberation Sans of 7 pt [mm].
double label_width(const std::string& label);

}  // namespace daelab
