// Text from outside that need not be UTF-8, as JSON and terminals want it.
#pragma once

#include <string>

namespace daelab {

/// What is no UTF-8 becomes U+FFFD; text that is UTF-8 stays as it is.
std::string as_utf8(const std::string& text);

}  // namespace daelab
