// What standard output and standard error are, and text that fits them.
#pragma once

#include <cstddef>
#include <string>

namespace daelab::app {

/// Columns of the terminal that standard output is; 80 where it is none: a pipe, a file, a log.
std::size_t terminal_width();

enum class Tint { none, strong, good, bad, warning };
/// With colour on a terminal, as it is elsewhere, on TERM=dumb and where NO_COLOR is set (no-color.org).
std::string tinted(Tint tint, const std::string& text);

/// A message in lines that fit the terminal of standard error. Without a terminal it stays one line, which programs can
/// search.
std::string error_lines(const std::string& message);

/// In lines that fit the terminal, those after the first indented.
void print_wrapped(const std::string& text, std::size_t hanging_indent = 0);

/// The first columns, then a text beside them in lines that fit the width.
std::string entry_text(const std::string& first, const std::string& text, std::size_t column, std::size_t width);

}  // namespace daelab::app
