#include "report/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/number.hpp"
#include "report/text.hpp"

namespace daelab {
namespace {

// What fits on a page under a caption.
constexpr double latex_lines_per_page = 45;
// Fractions need lines set wider apart, and count as more than one.
constexpr double latex_stretch = 1.35, latex_fraction_lines = 1.5;
// Widths of a \footnotesize character and of the space between columns, in units of \linewidth.
constexpr double latex_character = 0.0115, latex_space = 0.025;
// Longer text is set in a column that breaks lines.
constexpr std::size_t longest_unbroken_text = 20;
constexpr std::size_t most_html_rows = 1000;

void require_complete_rows(const Table& table) {
  for (std::size_t i = 0; i < table.rows.size(); ++i)
    if (!table.rows[i].is_array() || table.rows[i].size() != table.columns.size())
      throw InputError(fmt::format("/tables/{}/rows/{}", table.id, i),
                       fmt::format("expected {} cells, one per column", table.columns.size()));
}

std::vector<std::size_t> column_widths(const PrintedTable& printed) {
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < printed.header.size(); ++c) {
    std::size_t width = text_width(printed.header[c]);
    for (const auto& row : printed.rows) width = std::max(width, text_width(row[c]));
    widths.push_back(width);
  }
  return widths;
}

std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

void escape_cells(PrintedTable& printed, std::string (*escape)(const std::string&)) {
  for (std::string& cell : printed.header) cell = escape(cell);
  for (auto& row : printed.rows)
    for (std::string& cell : row) cell = escape(cell);
}

// Cells of one line, aligned and joined.
std::string joined(const std::vector<std::string>& cells, const PrintedTable& printed,
                   const std::vector<std::size_t>& widths, const std::string& separator) {
  std::string line;
  for (std::size_t c = 0; c < cells.size(); ++c)
    line += (c ? separator : "") + padded(cells[c], widths[c], printed.right[c]);
  return line;
}

std::string without_trailing_spaces(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

std::string csv_cell(const Json& cell) {
  if (cell.is_null() || (cell.is_number() && !cell_number(cell))) return "";
  if (cell.is_number_float()) return fmt::format("{}", cell.get<double>());
  return cell.is_string() ? quote_csv(cell.get<std::string>()) : quote_csv(cell.dump());
}

bool is_decimal_column(const Column& column) {
  return column.format == CellFormat::integer || column.format == CellFormat::scientific ||
         column.format == CellFormat::fixed;
}

// Digits that siunitx has to reserve on each side: 1.4e-2 for 7.0007E-05.
class DecimalFormat {
 public:
  void widen(const std::string& number) {
    const std::size_t e = number.find('E');
    const std::string mantissa = number.substr(0, e);
    const std::size_t point = mantissa.find('.');
    is_signed_ |= mantissa[0] == '-';
    integers_ = std::max(integers_, mantissa.substr(0, point).size() - (mantissa[0] == '-'));
    if (point != std::string::npos) decimals_ = std::max(decimals_, mantissa.size() - point - 1);
    if (e == std::string::npos) return;
    const bool negative = number[e + 1] == '-';
    has_negative_exponent_ |= negative;
    exponents_ = std::max(exponents_, number.size() - e - 1 - negative);
  }
  std::string text() const {
    std::string format = fmt::format("{}{}", is_signed_ ? "-" : "", integers_);
    if (decimals_) format += fmt::format(".{}", decimals_);
    if (exponents_) format += fmt::format("e{}{}", has_negative_exponent_ ? "-" : "", exponents_);
    return format;
  }

 private:
  bool is_signed_ = false, has_negative_exponent_ = false;
  std::size_t integers_ = 1, decimals_ = 0, exponents_ = 0;
};

// Numerator and denominator stand one above the other.
std::size_t fraction_width(const std::string& text) {
  const std::size_t bar = text.find('/');
  if (bar == std::string::npos) return text_width(text);
  return std::max(text_width(text.substr(0, bar)), text_width(text.substr(bar + 1)));
}

// The column as LaTeX: S for numbers, with the text among them in braces.
class LatexColumn {
 public:
  LatexColumn(const Table& table, const PrintedTable& printed, std::size_t c)
      : decimal_(is_decimal_column(table.columns[c])) {
    const Column& column = table.columns[c];
    header_ = column.tex.empty() ? escape_latex(column.label) : column.tex;
    DecimalFormat format;
    longest_ = text_width(column.label);
    for (std::size_t r = 0; r < printed.rows.size(); ++r) {
      const std::string& text = printed.rows[r][c];
      const bool number = decimal_ && cell_number(table.rows[r][c]);
      if (number) format.widen(text);
      if (number) has_numbers_ = true;
      longest_ = std::max(longest_, column.format == CellFormat::exact ? fraction_width(text) : text_width(text));
      cells_.push_back(number                               ? text
                       : decimal_                           ? "{" + escape_latex(text) + "}"
                       : column.format == CellFormat::exact ? exact_to_latex(text)
                                                            : escape_latex(text));
    }
    if (decimal_ && has_numbers_)
      type_ = "S[table-format=" + format.text() + "]";
    else if (decimal_ || column.format == CellFormat::seconds)
      type_ = "r";
    else
      type_ = "l";
    if (decimal_) header_ = "{" + header_ + "}";
  }
  bool breaks_lines() const { return (type_ == "l" || width_ > 0) && longest_ > longest_unbroken_text; }
  double longest() const { return static_cast<double>(longest_); }
  // Breaks lines at this fraction of \linewidth.
  void set_width(double width) {
    width_ = width;
    type_ = fmt::format(">{{\\raggedright\\arraybackslash}}p{{{:.2f}\\linewidth}}", width);
  }
  double lines(std::size_t row) const {
    const double characters = static_cast<double>(text_width(cells_[row]));
    // Broken lines are not full.
    return width_ > 0 ? std::ceil(1.2 * characters * latex_character / width_) : 1;
  }
  bool has_fractions() const {
    return std::any_of(cells_.begin(), cells_.end(),
                       [](const std::string& cell) { return cell.find("\\frac") != std::string::npos; });
  }
  const std::string& type() const { return type_; }
  const std::string& header() const { return header_; }
  const std::string& cell(std::size_t row) const { return cells_[row]; }

 private:
  bool decimal_, has_numbers_ = false;
  std::size_t longest_ = 0;
  double width_ = 0;
  std::string type_, header_;
  std::vector<std::string> cells_;
};

// Long texts share, by their lengths, the width that the other columns leave.
void share_width(std::vector<LatexColumn>& columns) {
  double left = 1, wanted = 0;
  for (const LatexColumn& column : columns) {
    left -= latex_space + (column.breaks_lines() ? 0 : column.longest() * latex_character);
    if (column.breaks_lines()) wanted += std::sqrt(column.longest());
  }
  constexpr double narrowest = 0.1;
  for (LatexColumn& column : columns)
    if (column.breaks_lines()) column.set_width(std::max(narrowest, left * std::sqrt(column.longest()) / wanted));
}

// The first row that no longer fits on the page that starts with `row`.
std::size_t end_of_page(const std::vector<LatexColumn>& columns, std::size_t row, std::size_t rows,
                        double lines_per_row) {
  double lines = 0;
  std::size_t end = row;
  while (end < rows) {
    double height = 1;
    for (const LatexColumn& column : columns) height = std::max(height, column.lines(end));
    lines += height * lines_per_row;
    if (end > row && lines > latex_lines_per_page) break;
    ++end;
  }
  return end;
}

}  // namespace

PrintedTable printed_table(const Table& table) {
  require_complete_rows(table);
  PrintedTable printed;
  for (const Column& column : table.columns) {
    printed.header.push_back(column.label);
    printed.right.push_back(column.format != CellFormat::text && column.format != CellFormat::exact);
  }
  for (const Json& row : table.rows) {
    std::vector<std::string> cells;
    for (std::size_t c = 0; c < table.columns.size(); ++c) cells.push_back(format_cell(row[c], table.columns[c]));
    printed.rows.push_back(std::move(cells));
  }
  return printed;
}

std::string table_to_text(const Table& table) {
  PrintedTable printed = printed_table(table);
  escape_cells(printed, [](const std::string& text) { return one_line(text); });
  const std::vector<std::size_t> widths = column_widths(printed);
  std::vector<std::string> rule;
  for (const std::size_t width : widths) rule.push_back(std::string(width, '-'));

  std::string text = table.caption.empty() ? "" : table.caption + "\n";
  const auto add = [&](const std::vector<std::string>& cells) {
    text += without_trailing_spaces(joined(cells, printed, widths, "  ")) + "\n";
  };
  add(printed.header);
  add(rule);
  for (const auto& row : printed.rows) add(row);
  return text;
}

std::string table_to_markdown(const Table& table) {
  PrintedTable printed = printed_table(table);
  escape_cells(printed, escape_markdown);
  std::vector<std::size_t> widths = column_widths(printed);
  std::vector<std::string> rule;
  for (std::size_t c = 0; c < widths.size(); ++c) {
    widths[c] = std::max<std::size_t>(widths[c], 3);
    rule.push_back(std::string(widths[c] - 1, '-') + (printed.right[c] ? ":" : "-"));
  }

  std::string text = table.caption.empty() ? "" : "**" + escape_markdown(table.caption) + "**\n\n";
  const auto add = [&](const std::vector<std::string>& cells) {
    text += "| " + joined(cells, printed, widths, " | ") + " |\n";
  };
  add(printed.header);
  add(rule);
  for (const auto& row : printed.rows) add(row);
  return text;
}

std::string table_to_csv(const Table& table) {
  require_complete_rows(table);
  std::string text;
  for (std::size_t c = 0; c < table.columns.size(); ++c) text += (c ? "," : "") + quote_csv(table.columns[c].label);
  text += "\n";
  for (const Json& row : table.rows) {
    for (std::size_t c = 0; c < row.size(); ++c) text += (c ? "," : "") + csv_cell(row[c]);
    text += "\n";
  }
  return text;
}

std::string table_to_latex(const Table& table) {
  const PrintedTable printed = printed_table(table);
  std::vector<LatexColumn> columns;
  for (std::size_t c = 0; c < table.columns.size(); ++c) columns.emplace_back(table, printed, c);

  const bool breaks_lines =
      std::any_of(columns.begin(), columns.end(), [](const auto& column) { return column.breaks_lines(); });
  const bool has_fractions =
      std::any_of(columns.begin(), columns.end(), [](const auto& column) { return column.has_fractions(); });
  share_width(columns);

  std::string types, header, text;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    types += columns[c].type();
    header += (c ? " & " : "") + columns[c].header();
  }
  std::size_t row = 0;
  do {
    const std::size_t end = end_of_page(columns, row, printed.rows.size(), has_fractions ? latex_fraction_lines : 1);
    text += "\\begin{table}[htbp]\n  \\centering\n";
    text += breaks_lines ? "  \\footnotesize\n  \\setlength{\\tabcolsep}{4pt}\n" : "  \\small\n";
    if (has_fractions) text += fmt::format("  \\renewcommand{{\\arraystretch}}{{{}}}\n", latex_stretch);
    text += fmt::format("  \\caption{{{}{}}}\n", escape_latex(table.caption), row ? " (continued)" : "");
    if (row == 0) text += fmt::format("  \\label{{tab:{}}}\n", file_stem(table.id));
    text += fmt::format("  \\begin{{tabular}}{{{}}}\n    \\toprule\n    {} \\\\\n    \\midrule\n", types, header);
    for (; row < end; ++row) {
      text += "    ";
      for (std::size_t c = 0; c < columns.size(); ++c) text += (c ? " & " : "") + columns[c].cell(row);
      text += " \\\\\n";
    }
    text += "    \\bottomrule\n  \\end{tabular}\n\\end{table}\n";
  } while (row < printed.rows.size());
  return text;
}

std::string table_to_html(const Table& table) {
  const PrintedTable printed = printed_table(table);
  const auto line = [&](const std::vector<std::string>& cells, const char* tag) {
    std::string html = "<tr>";
    for (std::size_t c = 0; c < cells.size(); ++c)
      html += fmt::format("<{0}{1}>{2}</{0}>", tag, printed.right[c] ? " class=\"number\"" : "", escape_html(cells[c]));
    return html + "</tr>\n";
  };
  std::string html = "<table>\n<caption>" + escape_html(table.caption) + "</caption>\n<thead>\n";
  html += line(printed.header, "th") + "</thead>\n<tbody>\n";
  const std::size_t shown = std::min(most_html_rows, printed.rows.size());
  for (std::size_t row = 0; row < shown; ++row) html += line(printed.rows[row], "td");
  html += "</tbody>\n</table>\n";
  if (shown < printed.rows.size())
    html += fmt::format("<p>The first {} of {} rows; the files hold all of them.</p>\n", shown, printed.rows.size());
  return html;
}

}  // namespace daelab
