// What of a table goes where, so that it fits the page: constant columns into the caption, repeated sentences into
// notes; rows become columns, or columns that do not fit side by side are set below each other.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/tables/latex_column.hpp"

namespace daelab {

struct LatexArrangement {
  std::string caption;                         // LaTeX
  std::vector<std::vector<TexColumn>> blocks;  // columns side by side, blocks below each other
  std::size_t rows = 0;                        // of each block
  std::vector<std::string> notes;              // LaTeX
  double width = 0;                            // to set it in [pt]
  bool short_exponents = false;                // 7.0E-5 instead of a power of ten
  bool starred = false;                        // across both columns of the text

  /// Whether a block is wider than the page unless text breaks lines.
  bool breaks_lines(const std::vector<TexColumn>& block) const;
  /// About how many there are, when long texts share the width that the others leave.
  double lines() const;
};

/// For text in 1 column of 345 pt, or 2 of 246 pt. Throws InputError when a row does not have one cell per column.
LatexArrangement arranged(const Table& table, int columns_of_text);

/// a, b, ..., z, aa, ab, ...
std::string note_mark(std::size_t number);

}  // namespace daelab
