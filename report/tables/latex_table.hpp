// Tables for a paper. LaTeX measures cells and breaks lines and pages (tabularx, longtable); what is chosen here is
// what goes where: constant columns into the caption, repeated sentences into notes, columns that do not fit side by
// side below each other.
#pragma once

#include <string>

#include "results/artifacts.hpp"

namespace daelab {

/// The document a table is written for.
struct LatexSetting {
  int columns =
      1;  // of text: 1 = a page of 345 pt (article), 2 = columns of 246 pt, and table* where that is too narrow
  std::string paper = {}, set = {};  // make labels unique: \label{tab:<paper>-<set>-<id>}, without empty ones
};

/// What the preamble of a document needs.
inline constexpr const char* latex_preamble =
    "\\usepackage{booktabs,siunitx,tabularx,xltabular}"
    "\\newcolumntype{L}[1]{>{\\hsize=#1\\hsize\\raggedright\\arraybackslash}X}";

/// A table in \footnotesize that is no wider than its page: a float, or a longtable with a repeated head where it is
/// long and the text has one column. Throws InputError when a row does not have one cell per column.
std::string table_to_latex(const Table& table, const LatexSetting& setting = {});

/// A figure environment, \label{fig:<paper>-<set>-<id>}, around <folder>/<id>.pdf, .png or .pgf.tex; figure* where its
/// width [mm] is more than a column has. A document in another folder says where <folder> is:
/// \newcommand{\daelabpath}{figures/}.
std::string figure_to_latex(const Figure& figure, const std::string& folder, const std::string& format,
                            const LatexSetting& setting, double width);

}  // namespace daelab
