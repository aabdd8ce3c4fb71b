// Numbers in text, read the same way in every locale: with a point, whatever the host of the library has set.
#pragma once

#include <optional>
#include <string_view>

namespace daelab {

/// The double nearest to the number that the text begins with, which is taken off it: a sign, digits with a point, an
/// exponent, or "inf", "nan"; blanks before it are passed over. Infinity and zero stand for what is too large and too
/// small. Nothing where the text begins otherwise, and nothing is taken off.
std::optional<double> take_number(std::string_view& text);

/// The number that the whole text is. Nothing where it is none.
std::optional<double> number_in(std::string_view text);

}  // namespace daelab
