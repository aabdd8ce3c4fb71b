// Numbers as papers print them.
#pragma once

#include <optional>
#include <string>

#include "core/base/scalar.hpp"
#include "results/artifacts.hpp"

namespace daelab {

/// What an empty cell shows.
inline constexpr const char* dash = "–";

/// The number in a cell: a real by its shortest decimal form, a text by all its digits. Nothing for an empty cell and
/// for texts that are no numbers.
std::optional<Real100> cell_number(const TableCell& cell);
/// Whether there is one.
bool is_number(const TableCell& cell);

/// 7.0007E-5: `digits` significant digits, 'E', exponent without leading zeros or plus sign.
/// Zero is "0".
std::string format_scientific(const Real100& x, int digits);

/// 3.98: `digits` decimals. What rounds to zero has no sign.
std::string format_fixed(const Real100& x, int digits);

/// 1234, 1.23, 0.0123, 8.10E-6: three significant digits, or more before the point.
std::string format_seconds(double seconds);

/// What core/base/exact.hpp writes: fractions and roots as they are, decimals to `digits` significant digits.
std::string format_exact(const std::string& text, int digits);

/// The same, or a quotient of polynomials in w, in mathematics: \frac{4 - \sqrt{6}}{10}. Other text is escaped.
std::string exact_to_latex(const std::string& text);

/// A number of a cell by its shortest decimal form, a text as it is; "" of an empty one.
std::string plain_text(const TableCell& cell);

/// The cell as printed in its column; text that is not a number stays as it is.
std::string format_cell(const TableCell& cell, const Column& column);

}  // namespace daelab
