#include "report/layout/number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <regex>

#include "report/layout/shown_text.hpp"

namespace daelab {
namespace {

// std::regex goes down one level by a character: longer text is no number and no formula.
constexpr std::size_t longest_matched = 1000;
// Numbers of more digits before the point are written with a power of ten, whatever a table says.
constexpr const char* largest_fixed = "1e50";

// The first place of a sign from there on that is in no parentheses.
std::size_t outside_parentheses(const std::string& text, char sign, std::size_t from) {
  int depth = 0;
  for (std::size_t i = from; i < text.size(); ++i) {
    if (text[i] == sign && depth == 0) return i;
    depth += (text[i] == '(') - (text[i] == ')');
  }
  return std::string::npos;
}

std::string without_parentheses(const std::string& text) {
  return text.starts_with("(") && text.ends_with(")") ? text.substr(1, text.size() - 2) : text;
}

// "7.0007e-05" as papers print it.
std::string with_short_exponent(const std::string& text) {
  const std::size_t e = text.find('e');
  return text.substr(0, e) + "E" + std::to_string(std::stol(text.substr(e + 1)));
}

std::string mathematics(std::string text) {
  static const std::regex root(R"(sqrt\((\d+)\))"), power(R"(\^(\d+))"), exponent(R"(e\+?(-?)0*(\d+))");
  text = std::regex_replace(text, power, "^{$1}");
  text = std::regex_replace(text, exponent, " \\cdot 10^{$1$2}");
  return std::regex_replace(text, root, "\\sqrt{$1}");
}

}  // namespace

std::string plain_text(const TableCell& cell) {
  if (cell.text()) return *cell.text();
  return cell.real() ? fmt::format("{}", *cell.real()) : cell.whole() ? fmt::format("{}", *cell.whole()) : "";
}

std::optional<Real100> cell_number(const TableCell& cell) {
  static const std::regex decimal(R"(\s*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d{1,9})?\s*)");
  std::string text = plain_text(cell);
  if (text.size() > longest_matched || !std::regex_match(text, decimal)) return std::nullopt;
  text.erase(0, text.find_first_not_of(" \t\r\n"));
  text.erase(text.find_last_not_of(" \t\r\n") + 1);
  const Real100 number(text);
  return isfinite(number) ? std::optional(number) : std::nullopt;
}

bool is_number(const TableCell& cell) { return cell.real() || cell.whole() || cell_number(cell); }

std::string format_scientific(const Real100& x, int digits) {
  if (x == 0) return "0";
  return with_short_exponent(x.scientific(std::max(digits, 1) - 1));
}

std::string format_fixed(const Real100& x, int digits) {
  const std::string text = x.fixed(std::max(digits, 0));
  const bool is_zero = text.find_first_of("123456789") == std::string::npos;
  return is_zero && text[0] == '-' ? text.substr(1) : text;
}

std::string format_seconds(double seconds) {
  constexpr int digits = 3;
  constexpr double least_plain = 1e-3;
  const double size = std::abs(seconds);
  if (size == 0) return "0";
  if (size < least_plain) return format_scientific(Real100(seconds), digits);
  const int decimals = digits - 1 - static_cast<int>(std::floor(std::log10(size)));
  return format_fixed(Real100(seconds), std::max(decimals, 0));
}

std::string format_exact(const std::string& text, int digits) {
  static const std::regex decimal(R"(\d+\.\d+(?:e[-+]?\d+)?)");
  if (text.size() > longest_matched) return text;
  std::string result;
  auto rest = text.begin();
  for (std::sregex_iterator number(text.begin(), text.end(), decimal), end; number != end; ++number) {
    result.append(rest, (*number)[0].first);
    result += Real100(number->str()).str(digits);
    rest = (*number)[0].second;
  }
  return result.append(rest, text.end());
}

std::string exact_to_latex(const std::string& text) {
  static const std::regex formula(R"((?:[-+ .\de()/w^]|sqrt)*[\dw](?:[-+ .\de()/w^]|sqrt)*)");
  if (text.size() > longest_matched || !std::regex_match(text, formula)) return escape_latex(text);
  const std::size_t bar = outside_parentheses(text, '/', 0);
  if (bar == std::string::npos) return "$" + mathematics(text) + "$";
  const std::size_t sign = text[0] == '-', end = std::min(outside_parentheses(text, ' ', bar), text.size());
  const std::string above = without_parentheses(text.substr(sign, bar - sign));
  const std::string below = without_parentheses(text.substr(bar + 1, end - bar - 1));
  return fmt::format("${}\\frac{{{}}}{{{}}}{}$", text.substr(0, sign), mathematics(above), mathematics(below),
                     mathematics(text.substr(end)));
}

namespace {

// A double to so many significant digits: by itself where it rounds as its shortest decimal form does. Halves between
// two roundings are short: a double whose shortest form has more digits is on the same side of them as that form.
std::optional<std::string> scientific_of_double(double x, int digits) {
  const int kept = std::max(digits, 1);
  char shortest[32];
  const char* const end = std::to_chars(shortest, std::end(shortest), x, std::chars_format::scientific).ptr;
  const std::string_view text(shortest, end), mantissa = text.substr(0, text.find('e'));
  const auto significant = std::ranges::count_if(mantissa, [](char c) { return c >= '0'; });
  if (x == 0 || significant <= kept + 1) return {};
  return with_short_exponent(fmt::format("{:.{}e}", x, kept - 1));
}

}  // namespace

std::string format_cell(const TableCell& cell, const Column& column) {
  if (cell.empty()) return dash;
  if (column.format == CellFormat::integer && cell.whole()) return plain_text(cell);
  if (column.format == CellFormat::scientific && cell.real())
    if (std::optional<std::string> text = scientific_of_double(*cell.real(), column.digits)) return std::move(*text);
  if (column.format == CellFormat::text) return plain_text(cell);
  if (column.format == CellFormat::exact) return format_exact(plain_text(cell), column.digits);
  const std::optional<Real100> number = cell_number(cell);
  if (!number) return plain_text(cell);
  const bool is_fixed = column.format == CellFormat::integer || column.format == CellFormat::fixed;
  if (is_fixed && abs(*number) > Real100(largest_fixed)) return format_scientific(*number, column.digits);
  switch (column.format) {
    case CellFormat::integer:
      return format_fixed(*number, 0);
    case CellFormat::scientific:
      return format_scientific(*number, column.digits);
    case CellFormat::fixed:
      return format_fixed(*number, column.digits);
    default:
      return format_seconds(static_cast<double>(*number));
  }
}

}  // namespace daelab
