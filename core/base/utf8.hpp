// Text from outside that need not be UTF-8, as JSON and terminals want it.
#pragma once

#include <string>

namespace daelab {

/// Bytes that are not UTF-8 become U+FFFD; UTF-8 stays as it is.
std::string as_utf8(const std::string& text);

/// Control characters, which stop other programs: all below U+0020 but the ends of lines and tabulators, U+007F to
/// U+009F.
bool has_controls(const std::string& text);
/// With control characters as "\\x07"; text without them stays as it is.
std::string with_visible_controls(const std::string& text);

}  // namespace daelab
