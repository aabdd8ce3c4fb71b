// Figures as wide as one or two columns of a journal: drawn by gnuplot from a script an author can edit and run again,
// or written for pgfplots.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "report/layout.hpp"
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
  std::vector<std::string> files;  // their names
  std::string caption;             // that of the figure, and which curves coincide
};

/// Writes <id>.gp and <id>.dat into `folder`, draws <id>.svg, <id>.pdf and <id>.png and writes <id>.pgf.tex as far as
/// asked for. `result_dir` is where trajectory files are relative to. Throws std::runtime_error with gnuplot's message
/// when it fails.
WrittenFigure write_figure(const Figure& figure, const std::string& result_dir, const std::string& folder,
                           const FigureSetting& setting);

}  // namespace daelab
