#include "core/base/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/json.hpp"

namespace daelab {
namespace {

// How many bytes at this place are a control character.
std::size_t control_at(const std::string& text, std::size_t i) {
  const auto byte = [&](std::size_t k) { return k < text.size() ? static_cast<unsigned char>(text[k]) : 0U; };
  const unsigned c = byte(i);
  if (c == '\n' || c == '\t' || c == '\r') return 0;
  if (c < 0x20 || c == 0x7F) return 1;
  return c == 0xC2 && byte(i + 1) >= 0x80 && byte(i + 1) < 0xA0 ? 2 : 0;  // U+0080 to U+009F
}

}  // namespace

std::string as_utf8(const std::string& text) {
  return Json::parse(Json(text).dump(-1, Json::Utf8::replace)).get<std::string>();
}

std::string with_visible_controls(const std::string& text) {
  std::string visible;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = control_at(text, i);
    if (length > 0)
      visible += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[i + length - 1]));
    else
      visible += text[i];
    i += std::max<std::size_t>(1, length);
  }
  return visible;
}

bool has_controls(const std::string& text) {
  for (std::size_t i = 0; i < text.size(); ++i)
    if (control_at(text, i) > 0) return true;
  return false;
}

}  // namespace daelab
