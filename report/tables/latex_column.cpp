#include "report/tables/latex_column.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "report/layout/number.hpp"
#include "report/layout/shown_text.hpp"
#include "report/layout/symbols.hpp"

namespace daelab {
namespace {

// The power of ten of siunitx beside its digits [pt].
constexpr double power_of_ten = 26;

double longest_word(const std::string& text) {
  std::size_t longest = 0, begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && std::string(" ,:=/_|").find(text[i]) == std::string::npos) continue;
    longest = std::max(longest, text_width(text.substr(begin, i + 1 - begin)));
    begin = i + 1;
  }
  return static_cast<double>(longest) * tex_digit;
}

bool is_decimal(const Column& column) {
  return column.format == CellFormat::integer || column.format == CellFormat::scientific ||
         column.format == CellFormat::fixed;
}

// Numerator and denominator are one above the other.
std::size_t exact_width(const std::string& text) {
  const std::size_t bar = text.find('/');
  if (bar == std::string::npos) return text_width(text);
  return std::max(text_width(text.substr(0, bar)), text_width(text.substr(bar + 1)));
}

double cell_width(const std::string& text, bool number, const Column& column) {
  const double characters =
      static_cast<double>(column.format == CellFormat::exact ? exact_width(text) : text_width(text)) * tex_digit;
  return characters + (number && text.find('E') != std::string::npos ? power_of_ten - 2 * tex_digit : 0);
}

// Letters for their names, and a dash for a cell that says nothing.
std::string words_for_print(const std::string& text) { return text == "-" ? dash : typeset(text); }

double total(const std::vector<TexColumn>& columns, double (*width)(const TexColumn&)) {
  return std::accumulate(columns.begin(), columns.end(), 0.0,
                         [&](double sum, const TexColumn& column) { return sum + width(column) + tex_gap; });
}

}  // namespace

double TexColumn::least() const { return text ? std::min(natural, std::max(narrowest_text, word)) : natural; }

bool TexColumn::has_numbers() const { return std::find(is_number.begin(), is_number.end(), true) != is_number.end(); }

TexColumn tex_column(const Table& table, const PrintedTable& printed, std::size_t c) {
  const Column& column = table.columns[c];
  TexColumn tex;
  tex.head = column.tex.empty() ? breakable_latex(column.label) : column.tex;
  tex.decimal = is_decimal(column);
  tex.text = column.format == CellFormat::text;
  tex.right = printed.right[c];
  tex.natural = static_cast<double>(text_width(column.label)) * tex_digit;
  for (std::size_t r = 0; r < printed.rows.size(); ++r) {
    const std::string& text = printed.rows[r][c];
    const bool number = tex.decimal && is_number(table.rows[r][c]);
    tex.plain.push_back(text);
    tex.is_number.push_back(number);
    tex.cells.push_back(number                               ? (table.is_best({r, c}) ? "\\bfseries " : "") + text
                        : column.format == CellFormat::exact ? exact_to_latex(text)
                                                             : breakable_latex(words_for_print(text)));
    tex.natural = std::max(tex.natural, cell_width(text, number, column));
    tex.word = std::max(tex.word, longest_word(text));
  }
  return tex;
}

std::string number_format(const TexColumn& column) {
  bool is_signed = false, has_negative_exponent = false;
  std::size_t integers = 1, decimals = 0, exponents = 0;
  for (std::size_t r = 0; r < column.plain.size(); ++r) {
    if (!column.is_number[r]) continue;
    const std::string& number = column.plain[r];
    const std::size_t e = number.find('E');
    const std::string mantissa = number.substr(0, e);
    const std::size_t point = mantissa.find('.');
    is_signed |= mantissa[0] == '-';
    integers = std::max(integers, mantissa.substr(0, point).size() - (mantissa[0] == '-'));
    if (point != std::string::npos) decimals = std::max(decimals, mantissa.size() - point - 1);
    if (e == std::string::npos) continue;
    const bool negative = number[e + 1] == '-';
    has_negative_exponent |= negative;
    exponents = std::max(exponents, number.size() - e - 1 - negative);
  }
  std::string format = fmt::format("{}{}", is_signed ? "-" : "", integers);
  if (decimals) format += fmt::format(".{}", decimals);
  if (exponents) format += fmt::format("e{}{}", has_negative_exponent ? "-" : "", exponents);
  return format;
}

std::string breakable_latex(const std::string& text) {
  std::string latex;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool ends_piece =
        i + 1 < text.size() && text[i + 1] != ' ' && std::string(",:=/_|").find(text[i]) != std::string::npos;
    if (!ends_piece) continue;
    latex += escape_latex(text.substr(begin, i + 1 - begin)) + "\\allowbreak{}";
    begin = i + 1;
  }
  return latex + escape_latex(text.substr(begin));
}

namespace {

std::string breakable_words(const std::string& text) {
  constexpr std::size_t long_word = 16;
  std::string latex;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size() - 1) + 1;
    const std::string word = text.substr(begin, end - begin);
    latex += text_width(word) > long_word ? breakable_latex(word) : escape_latex(word);
    begin = end;
  }
  return latex;
}

}  // namespace

std::string caption_latex(const std::string& text) { return latex_label(text, breakable_words); }

double natural_width(const std::vector<TexColumn>& columns) {
  return total(columns, [](const TexColumn& column) { return column.natural; });
}

double least_width(const std::vector<TexColumn>& columns) {
  return total(columns, [](const TexColumn& column) { return column.least(); });
}

}  // namespace daelab
