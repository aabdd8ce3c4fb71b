// SHA-256 of bytes. [FIPS 180-4]
#pragma once

#include <string>
#include <string_view>

namespace daelab {

/// In hex digits.
std::string sha256(std::string_view bytes);

}  // namespace daelab
