// Plain text for the four places the report writes to: each has its own special characters.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace daelab {

/// Number of UTF-8 characters, which is what a terminal column needs; colours of a terminal need none.
std::size_t text_width(const std::string& text);

/// Spaces up to `width` characters, before the text (`right` aligned) or after it.
std::string padded(const std::string& text, std::size_t width, bool right = false);

/// The text, or its beginning and "…" when it has more than `width` characters.
std::string shortened(const std::string& text, std::size_t width);

/// Text for people: names of Greek letters that are words of their own become the letters ("error of lambda", not
/// "generalized-alpha" or "rho=1"), a hyphen before a number or between spaces a minus sign.
std::string typeset(const std::string& text);

/// Specifications in labels of curves as people write them: "penalty:chi=100" becomes "penalty, chi = 100".
std::string readable_specs(const std::string& text);

/// Broken between words into lines of at most `width` characters, each after so many spaces; a longer word has its own
/// line, or several, broken after commas.
std::string wrapped(const std::string& text, std::size_t width, std::size_t indent);

std::string escape_html(const std::string& text);

/// A part of an address: what has a meaning there is written by its number, "%2F".
std::string url_part(const std::string& text);

/// One character of UTF-8.
struct Character {
  std::string_view bytes;
  unsigned code;
};
/// Refers to the text.
std::vector<Character> characters_of(std::string_view text);

/// "(U+202E)", for a character that must not act as itself.
std::string code_point_text(unsigned code);

/// How a file for LaTeX begins: what made it ("": not said) and what the preamble must have.
std::string latex_heading(const std::string& command, const std::string& preamble);

/// Safe in running text and table cells; Greek letters and common signs become mathematics, so the
/// result compiles with pdflatex. Characters that it does not know are shown by their numbers, (U+202E).
std::string escape_latex(const std::string& text);

/// Safe in a cell of a pipe table; line breaks become spaces.
std::string escape_markdown(const std::string& text);

/// Quoted only where RFC 4180 asks for it.
std::string quote_csv(const std::string& text);

/// A spreadsheet would take this text for a formula and carry it out: it begins with one of = + - @ and is no number.
bool is_formula_of_spreadsheets(const std::string& text);

/// Letters, digits, '.', '_' and '-' only: safe as a file name, in a URL and in a label.
std::string file_stem(const std::string& id);

/// A gnuplot string: nothing in it is interpreted.
std::string quote_gnuplot(const std::string& text);

}  // namespace daelab
