// A column of a table on its way to LaTeX: its cells, and about how wide they are. LaTeX measures what it sets; widths
// here decide on the arrangement alone.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/tables/table.hpp"

namespace daelab {

/// At \footnotesize of a 10 pt class [pt]: a digit, the space between columns.
inline constexpr double tex_digit = 4.4, tex_gap = 6;
/// Text is set no narrower than this [pt].
inline constexpr double narrowest_text = 75;

/// A column on its way to LaTeX.
struct TexColumn {
  std::string head;                // LaTeX
  std::vector<std::string> plain;  // as printed
  std::vector<std::string> cells;  // LaTeX
  std::vector<bool> is_number;     // set by siunitx
  bool decimal = false;            // numbers aligned at the point
  bool text = false;               // may break lines
  bool right = false;
  double natural = 0;  // width [pt]
  double word = 0;     // that of the longest piece that cannot be broken [pt]

  /// As narrow as it can be set [pt].
  double least() const;
  bool is_wide() const { return natural > least(); }
  bool has_numbers() const;
};

/// Of column number `c`. Throws InputError when a row does not have one cell per column.
TexColumn tex_column(const Table& table, const PrintedTable& printed, std::size_t c);

/// What siunitx reserves on each side of the point: 1.4e-2 for 7.0007E-05.
std::string number_format(const TexColumn& column);

/// Escaped; long words of specifications may break after their separators.
std::string breakable_latex(const std::string& text);

/// Running text with symbols as mathematics, q and v in italics; words as long as specifications may break.
std::string caption_latex(const std::string& text);

/// Of columns side by side, with the space between them [pt].
double natural_width(const std::vector<TexColumn>& columns);
double least_width(const std::vector<TexColumn>& columns);

}  // namespace daelab
