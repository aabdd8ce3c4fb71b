#include "app/terminal.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <string_view>

#include "report/layout/shown_text.hpp"

namespace daelab::app {
namespace {

bool is_coloured() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string_view(value != nullptr ? value : "");
  };
  static const bool coloured =
      ::isatty(STDOUT_FILENO) != 0 && variable("NO_COLOR").empty() && variable("TERM") != "dumb";
  return coloured;
}

std::size_t width_of(int descriptor) {
  constexpr std::size_t usual = 80, least = 40;
  winsize size{};
  if (::isatty(descriptor) == 0 || ::ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return usual;
  return std::max<std::size_t>(size.ws_col, least);
}

const char* escape_of(Tint tint) {
  switch (tint) {
    case Tint::none:
      break;
    case Tint::strong:
      return "\033[1m";
    case Tint::good:
      return "\033[32m";
    case Tint::bad:
      return "\033[31m";
    case Tint::warning:
      return "\033[33m";
  }
  return "";
}

}  // namespace

std::size_t terminal_width() { return width_of(STDOUT_FILENO); }

std::string error_lines(const std::string& message) {
  if (::isatty(STDERR_FILENO) == 0) return message + "\n";
  std::string lines;
  std::istringstream paragraphs(message);
  for (std::string paragraph; std::getline(paragraphs, paragraph);)
    lines += paragraph.empty() ? "\n" : wrapped(paragraph, width_of(STDERR_FILENO), 0);
  return lines;
}

std::string tinted(Tint tint, const std::string& text) {
  return tint != Tint::none && is_coloured() ? escape_of(tint) + text + "\033[0m" : text;
}

void print_wrapped(const std::string& text, std::size_t hanging_indent) {
  const std::string lines = wrapped(text, terminal_width() - hanging_indent, 0);
  std::string indented;
  for (const char c : lines) {
    indented += c;
    if (c == '\n') indented += std::string(hanging_indent, ' ');
  }
  indented.resize(indented.find_last_not_of(' ') + 1);
  fmt::print("{}", indented);
}

std::string entry_text(const std::string& first, const std::string& text, std::size_t column, std::size_t width) {
  std::string lines = wrapped(text, width, column);
  const std::size_t have = text_width(first);
  if (have + 1 >= column || lines.empty()) return first + "\n" + lines;
  return padded(first, column) + lines.substr(column);
}

}  // namespace daelab::app
