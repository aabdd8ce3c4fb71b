#include "report/page/packed_text.hpp"

#include <zlib.h>

#include <stdexcept>

namespace daelab {

std::string base64(std::string_view bytes) {
  static constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  unsigned bits = 0, count = 0;
  for (const char c : bytes) {
    bits = bits << 8 | static_cast<unsigned char>(c);
    for (count += 8; count >= 6; count -= 6) text += digits[bits >> (count - 6) & 63];
  }
  if (count > 0) text += digits[bits << (6 - count) & 63];
  text.resize((text.size() + 3) / 4 * 4, '=');
  return text;
}

std::string base64_of_hex(std::string_view hex) {
  const auto value = [&](std::size_t i) { return hex[i] <= '9' ? hex[i] - '0' : hex[i] - 'a' + 10; };
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) bytes += static_cast<char>(value(i) << 4 | value(i + 1));
  return base64(bytes);
}

std::string packed(std::string_view text) {
  uLongf size = compressBound(text.size());
  std::string bytes(size, '\0');
  const int code = compress2(reinterpret_cast<Bytef*>(bytes.data()), &size, reinterpret_cast<const Bytef*>(text.data()),
                             text.size(), Z_BEST_COMPRESSION);
  if (code != Z_OK) throw std::runtime_error("the data of a page cannot be compressed: out of memory");
  bytes.resize(size);
  return base64(bytes);
}

}  // namespace daelab
