#include "report/layout/shown_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <initializer_list>
#include <sstream>
#include <string_view>
#include <utility>

#include "core/base/number_text.hpp"

namespace daelab {
namespace {

struct Replacement {
  std::string_view from, to;
};

// Left to right, the first entry that matches at a position wins.
template <std::size_t N>
std::string replaced(const std::string& text, const Replacement (&table)[N]) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    const std::string_view rest = std::string_view(text).substr(i);
    const auto* match = std::find_if(std::begin(table), std::end(table),
                                     [&](const Replacement& r) { return rest.substr(0, r.from.size()) == r.from; });
    if (match == std::end(table)) {
      result += text[i++];
    } else {
      result += match->to;
      i += match->from.size();
    }
  }
  return result;
}

constexpr Replacement greek[] = {{"alpha", "α"}, {"beta", "β"},  {"gamma", "γ"}, {"delta", "δ"},  {"eps", "ε"},
                                 {"zeta", "ζ"},  {"theta", "θ"}, {"kappa", "κ"}, {"lambda", "λ"}, {"mu", "μ"},
                                 {"nu", "ν"},    {"xi", "ξ"},    {"pi", "π"},    {"rho", "ρ"},    {"sigma", "σ"},
                                 {"tau", "τ"},   {"phi", "φ"},   {"chi", "χ"},   {"psi", "ψ"},    {"omega", "ω"},
                                 {"Omega", "Ω"}, {"Phi", "Φ"},   {"Gamma", "Γ"}, {"Delta", "Δ"}};

constexpr Replacement html[] = {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}, {"'", "&#39;"}};

constexpr Replacement latex[] = {{"\\", "\\textbackslash{}"},
                                 {"{", "\\{"},
                                 {"}", "\\}"},
                                 {"$", "\\$"},
                                 {"&", "\\&"},
                                 {"#", "\\#"},
                                 {"%", "\\%"},
                                 {"_", "\\_"},
                                 {"^", "\\textasciicircum{}"},
                                 {"~", "\\textasciitilde{}"},
                                 {"<=", "$\\le$"},
                                 {">=", "$\\ge$"},
                                 {"<", "$<$"},
                                 {">", "$>$"},
                                 {"|", "$|$"},
                                 // \textquotedbl needs the encoding T1, which a document need not have.
                                 {"\"", "\\symbol{34}"},
                                 {"\n", " "},
                                 // "[" would be read as an option after a line break, "*" as its star.
                                 {"[", "{[}"},
                                 {"*", "{*}"},
                                 {"α", "$\\alpha$"},
                                 {"β", "$\\beta$"},
                                 {"γ", "$\\gamma$"},
                                 {"Γ", "$\\Gamma$"},
                                 {"δ", "$\\delta$"},
                                 {"Δ", "$\\Delta$"},
                                 {"ε", "$\\varepsilon$"},
                                 {"ζ", "$\\zeta$"},
                                 {"η", "$\\eta$"},
                                 {"θ", "$\\theta$"},
                                 {"κ", "$\\kappa$"},
                                 {"λ", "$\\lambda$"},
                                 {"Λ", "$\\Lambda$"},
                                 {"μ", "$\\mu$"},
                                 {"µ", "$\\mu$"},
                                 {"ν", "$\\nu$"},
                                 {"ξ", "$\\xi$"},
                                 {"π", "$\\pi$"},
                                 {"ρ", "$\\rho$"},
                                 {"σ", "$\\sigma$"},
                                 {"Σ", "$\\Sigma$"},
                                 {"τ", "$\\tau$"},
                                 {"φ", "$\\varphi$"},
                                 {"Φ", "$\\Phi$"},
                                 {"χ", "$\\chi$"},
                                 {"ψ", "$\\psi$"},
                                 {"ω", "$\\omega$"},
                                 {"Ω", "$\\Omega$"},
                                 {"±", "$\\pm$"},
                                 {"×", "$\\times$"},
                                 {"·", "$\\cdot$"},
                                 {"≤", "$\\le$"},
                                 {"≥", "$\\ge$"},
                                 {"≈", "$\\approx$"},
                                 {"≠", "$\\ne$"},
                                 {"→", "$\\to$"},
                                 {"∞", "$\\infty$"},
                                 {"√", "$\\surd$"},
                                 {"∂", "$\\partial$"},
                                 {"−", "$-$"},
                                 {"‖", "$\\Vert$"},
                                 {"′", "$'$"},
                                 {"″", "$''$"},
                                 {"⁻", "$^-$"},
                                 {"ᵀ", "$^{\\mathsf{T}}$"},
                                 {"¹", "$^1$"},
                                 {"²", "$^2$"},
                                 {"³", "$^3$"},
                                 {"₀", "$_0$"},
                                 {"₁", "$_1$"},
                                 {"₂", "$_2$"},
                                 {"°", "$^\\circ$"},
                                 {"✓", "$\\surd$"},
                                 {"…", "\\dots{}"},
                                 {"–", "--"},
                                 {"—", "---"}};

constexpr Replacement markdown[] = {{"\\", "\\\\"}, {"`", "\\`"}, {"*", "\\*"},  {"_", "\\_"},  {"[", "\\["},
                                    {"]", "\\]"},   {"|", "\\|"}, {"<", "&lt;"}, {">", "&gt;"}, {"&", "&amp;"},
                                    {"$", "\\$"},   {"~", "\\~"}, {"\r", ""},    {"\n", " "}};

constexpr Replacement gnuplot[] = {{"\n", " "}, {"\r", ""}};
constexpr Replacement gnuplot_double_quoted[] = {
    {"\\", "\\\\"}, {"\"", "\\\""}, {"`", "\\140"}, {"\n", " "}, {"\r", ""}};

constexpr Replacement csv[] = {{"\"", "\"\""}};

// Bytes of the character that begins with this one.
std::size_t character_size(unsigned char first) { return first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4; }

unsigned code_point(std::string_view character) {
  unsigned code = static_cast<unsigned char>(character[0]) & (0xFFU >> (character.size() + (character.size() > 1)));
  for (const char next : character.substr(1)) code = code << 6 | (static_cast<unsigned char>(next) & 0x3FU);
  return code;
}

// Letters of Latin scripts, U+00C0 to U+017F, except letters that pdflatex knows in the encoding T1 alone or not at
// all.
bool is_latin_letter(unsigned code) {
  static constexpr unsigned without[] = {0xD0,  0xDE,  0xF0,  0xFE,  0x104, 0x105, 0x110, 0x111, 0x118,
                                         0x119, 0x126, 0x127, 0x12E, 0x12F, 0x138, 0x13F, 0x140, 0x149,
                                         0x14A, 0x14B, 0x166, 0x167, 0x172, 0x173, 0x17F};
  return code >= 0xC0 && code < 0x180 && !std::ranges::binary_search(without, code);
}

// Characters that pdflatex does not know, and that would stop it, by their numbers: letters of Latin scripts and what
// the table above has stay.
std::string without_strange_characters(const std::string& text) {
  std::string result;
  for (const auto& [bytes, code] : characters_of(text)) {
    const std::string_view character = bytes;  // a name that a lambda may capture
    const bool is_control = code < 0x20 && code != '\n' && code != '\t',
               is_known = code < 0x7F || is_latin_letter(code);
    const bool has_entry =
        std::any_of(std::begin(latex), std::end(latex), [&](const Replacement& r) { return r.from == character; });
    if ((is_known && !is_control) || has_entry)
      result += character;
    else
      result += code_point_text(code);
  }
  return result;
}

}  // namespace

std::vector<Character> characters_of(std::string_view text) {
  std::vector<Character> characters;
  while (!text.empty()) {
    const std::string_view bytes = text.substr(0, character_size(static_cast<unsigned char>(text[0])));
    characters.push_back({bytes, code_point(bytes)});
    text.remove_prefix(bytes.size());
  }
  return characters;
}

std::string code_point_text(unsigned code) { return fmt::format("(U+{:04X})", code); }

std::string latex_heading(const std::string& command, const std::string& preamble) {
  return (command.empty() ? "" : "% Made by: " + command + "\n") + "% Needs " + preamble + "\n";
}

std::size_t text_width(const std::string& text) {
  std::size_t width = 0;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text.compare(i, 2, "\033[") == 0)
      i = std::min(text.find('m', i), text.size());
    else
      width += (text[i] & 0xC0) != 0x80;
  return width;
}

std::string padded(const std::string& text, std::size_t width, bool right) {
  const std::size_t have = text_width(text);
  const std::string space(width > have ? width - have : 0, ' ');
  return right ? space + text : text + space;
}

std::string shortened(const std::string& text, std::size_t width) {
  if (text_width(text) <= width) return text;
  std::size_t end = 0;
  for (std::size_t characters = 0; end < text.size(); ++end)
    if ((text[end] & 0xC0) != 0x80 && ++characters == width) break;
  return text.substr(0, end) + "…";
}

std::string typeset(const std::string& text) {
  const auto is_letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || (c & 0x80); };
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    const char before = i ? text[i - 1] : ' ';
    std::size_t end = i;
    while (end < text.size() && is_letter(text[end])) ++end;
    const char after = end < text.size() ? text[end] : ' ';
    const std::string_view word = std::string_view(text).substr(i, end - i);
    if (word.empty()) {
      const bool spaced = before == ' ' || before == '(' || before == '|';
      const bool minus = text[i] == '-' && spaced && (after == '-') && i + 1 < text.size() &&
                         (text[i + 1] == ' ' || std::isdigit(static_cast<unsigned char>(text[i + 1])) ||
                          (before != ' ' && std::isalpha(static_cast<unsigned char>(text[i + 1]))));
      result += minus ? "−" : std::string(1, text[i]);
      ++i;
      continue;
    }
    const auto* letter =
        std::find_if(std::begin(greek), std::end(greek), [&](const Replacement& r) { return r.from == word; });
    const bool alone = std::string_view(" (,|").find(before) != std::string_view::npos &&
                       std::string_view(" ),.;:|/^").find(after) != std::string_view::npos;
    result += letter != std::end(greek) && alone ? letter->to : word;
    i = end;
  }
  return result;
}

std::string readable_specs(const std::string& text) {
  std::string result;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ' ');) {
    const std::size_t colon = word.find(':'), equals = word.find('=');
    if (colon != std::string::npos && colon > 0 && equals != std::string::npos && equals > colon + 1) {
      const std::size_t last = word.size() - 1;
      std::string spec;
      for (std::size_t i = 0; i < word.size(); ++i)
        spec += i == colon || (word[i] == ',' && i < last) ? ", " : word[i] == '=' ? " = " : std::string(1, word[i]);
      word = spec;
    }
    result += (result.empty() ? "" : " ") + word;
  }
  return result;
}

std::string wrapped(const std::string& text, std::size_t width, std::size_t indent) {
  std::string lines, line;
  const auto end_line = [&] { lines += std::string(indent, ' ') + line + "\n", line.clear(); };
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (!line.empty() && indent + text_width(line) + 1 + text_width(word) > width) end_line();
    // A specification with many options.
    while (line.empty() && indent + text_width(word) > width) {
      std::size_t comma = word.rfind(',', width - std::min(indent + 1, width));
      if (comma == std::string::npos) comma = word.find(',');
      if (comma == std::string::npos || comma + 1 == word.size()) break;
      line = word.substr(0, comma + 1), word.erase(0, comma + 1);
      end_line();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  if (!line.empty()) end_line();
  return lines;
}

std::string escape_html(const std::string& text) { return replaced(text, html); }
std::string escape_latex(const std::string& text) { return replaced(without_strange_characters(text), latex); }
std::string escape_markdown(const std::string& text) { return replaced(text, markdown); }
std::string quote_gnuplot(const std::string& text) {
  // An apostrophe at either end, or two in a row, end gnuplot's single quotes however they are written.
  if (text.find('\'') == std::string::npos) return "'" + replaced(text, gnuplot) + "'";
  return "\"" + replaced(text, gnuplot_double_quoted) + "\"";
}

std::string url_part(const std::string& text) {
  static constexpr std::string_view plain = "-._~";
  std::string part;
  for (const char c : text)
    if (std::isalnum(static_cast<unsigned char>(c)) || plain.find(c) != std::string_view::npos)
      part += c;
    else
      part += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  return part;
}

bool is_formula_of_spreadsheets(const std::string& text) {
  if (text.size() < 2 || std::string_view("=+-@\t\r").find(text[0]) == std::string_view::npos) return false;
  return !number_in(text);  // which is one in a spreadsheet, too
}

std::string quote_csv(const std::string& text) {
  const bool plain = text.find_first_of(",\"\r\n") == std::string::npos;
  return plain ? text : "\"" + replaced(text, csv) + "\"";
}

std::string file_stem(const std::string& id) {
  std::string stem = id;
  for (char& c : stem)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '.' && c != '_' && c != '-') c = '-';
  // A leading dot would hide the file, or leave the folder.
  if (stem.empty() || stem[0] == '.') stem.insert(0, "-");
  return stem;
}

}  // namespace daelab
