// Formulas in LaTeX, broken into lines that fit on a page.
#pragma once

#include <string>
#include <vector>

namespace daelab {

/// How wide a formula is set, in digits of its font, roughly.
double latex_width(const std::string& formula);

/// A formula in lines of at most `most` digits, the first of `first`: broken in front of + and - between the terms of
/// a sum, in parentheses where there is no sum outside of them. A term that is longer stays whole; the numerator of a
/// fraction that is longer becomes a factor in parentheses.
std::vector<std::string> latex_lines(const std::string& formula, double first, double most);

}  // namespace daelab
