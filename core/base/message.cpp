#include "core/base/message.hpp"

#include <fmt/format.h>

#include "core/base/utf8.hpp"

namespace daelab {
namespace {

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

}  // namespace

std::string without_middle(const std::string& text, std::size_t most) {
  if (text.size() <= most) return text;
  std::size_t begin = most * 2 / 3, end = text.size() - most / 3;
  while (begin > 0 && continues_character(text[begin])) --begin;
  while (end < text.size() && continues_character(text[end])) ++end;
  return fmt::format("{} ... ({} bytes left out) ... {}", text.substr(0, begin), end - begin, text.substr(end));
}

std::string readable_message(const std::string& message) {
  constexpr std::size_t most = 1900;  // and the words on what is left out
  // Bytes that are not UTF-8 grow threefold when they are replaced.
  return without_middle(with_visible_controls(as_utf8(without_middle(message, 8 * most))), most);
}

}  // namespace daelab
