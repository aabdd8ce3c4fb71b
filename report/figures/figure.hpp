// Figures as wide as one or two columns of a journal: drawn by gnuplot from a script an author can edit and run again,
// or written for pgfplots.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "report/layout/gnuplot.hpp"
#include "report/layout/layout.hpp"
#include "results/artifacts.hpp"

namespace daelab {

/// Where and how a figure is written.
struct FigureSetting {
  std::set<std::string> formats;  // svg, pdf and png are drawn, pgf is written; others are passed over
  double width = journal_column;  // [mm]
  std::string command = {};       // that made it, named in the script
};

/// All of them: svg, pdf, png, pgf.
const std::set<std::string>& figure_formats();

/// Millimetres of "1" or "2", columns of text, of "120", "120mm" or "12cm". Throws InputError for anything else, and
/// where no figure could be so wide.
double figure_width(const std::string& text);

struct WrittenFigure {
  std::vector<std::string> files;       // their names
  std::string caption;                  // that of the figure, and which curves coincide
  std::optional<GnuplotScript> script;  // what gnuplot is to draw
};

/// Writes <id>.gp and <id>.dat into `folder`, and <id>.pgf.tex where it is asked for; <id>.svg, <id>.pdf and <id>.png,
/// which its files name, are left to draw(). `result_dir` is where trajectory files are relative to.
WrittenFigure write_sources(const Figure& figure, const std::string& result_dir, const std::string& folder,
                            const FigureSetting& setting);

/// Writes and draws one figure. Throws as draw() does.
WrittenFigure write_figure(const Figure& figure, const std::string& result_dir, const std::string& folder,
                           const FigureSetting& setting);

}  // namespace daelab
