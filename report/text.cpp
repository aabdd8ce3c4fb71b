#include "report/text.hpp"

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <string_view>
#include <utility>

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
                                 {"<", "$<$"},
                                 {">", "$>$"},
                                 {"|", "$|$"},
                                 {"\"", "\\textquotedbl{}"},
                                 {"\n", " "},
                                 // "[" would be read as an option after a line break.
                                 {"[", "{[}"},
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

constexpr Replacement gnuplot[] = {{"'", "''"}, {"\n", " "}, {"\r", ""}};
constexpr Replacement gnuplot_double_quoted[] = {
    {"\\", "\\\\"}, {"\"", "\\\""}, {"`", "\\140"}, {"\n", " "}, {"\r", ""}};

constexpr Replacement csv[] = {{"\"", "\"\""}};

}  // namespace

std::size_t text_width(const std::string& text) {
  return std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; });
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

std::string escape_html(const std::string& text) { return replaced(text, html); }
std::string escape_latex(const std::string& text) { return replaced(text, latex); }
std::string escape_markdown(const std::string& text) { return replaced(text, markdown); }
std::string quote_gnuplot(const std::string& text) {
  // Two apostrophes in a row end gnuplot's single quotes however they are written.
  if (text.find("''") == std::string::npos) return "'" + replaced(text, gnuplot) + "'";
  return "\"" + replaced(text, gnuplot_double_quoted) + "\"";
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
