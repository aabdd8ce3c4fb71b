// Texts as a page carries them: compressed, in letters. Browsers unpack them without any library.
#pragma once

#include <string>
#include <string_view>

namespace daelab {

std::string base64(std::string_view bytes);

/// Of bytes in hex digits, such as the hashes of scripts that a content security policy allows.
std::string base64_of_hex(std::string_view hex);

/// The text by zlib (RFC 1950), in base64: what `DecompressionStream('deflate')` reads.
std::string packed(std::string_view text);

}  // namespace daelab
