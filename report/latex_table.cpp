#include "report/latex_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>
#include <vector>

#include "report/number.hpp"
#include "report/table.hpp"
#include "report/text.hpp"

namespace daelab {
namespace {

// At \footnotesize of a 10 pt class [pt]: a digit, the power of ten of siunitx beside its digits, the space between
// columns. They decide on the layout alone; LaTeX measures what it sets.
constexpr double digit = 4.4, power_of_ten = 26, gap = 6;
constexpr double one_column = 345, two_columns = 246, both_columns = 510;
// Longer text may become a note; text is set no narrower than this.
constexpr std::size_t sentence = 45;
constexpr double narrowest_text = 85;
constexpr double lines_of_a_float = 36, lines_of_a_page = 48;
// A transposed table has a column for each row.
constexpr std::size_t most_transposed_rows = 6;

// A column on its way to LaTeX.
struct TexColumn {
  std::string head;                // LaTeX
  std::vector<std::string> plain;  // as printed
  std::vector<std::string> cells;  // LaTeX
  std::vector<bool> is_number;     // set by siunitx
  bool decimal = false;            // numbers aligned at the point
  bool text = false;               // may break lines
  bool right = false;
  double natural = 0;  // width [pt]
  double word = 0;     // that of the longest piece that cannot be broken [pt]

  double least() const { return text ? std::min(natural, std::max(narrowest_text, word)) : natural; }
};

// Long words of specifications may break after their separators.
std::string breakable(const std::string& text) {
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

double longest_word(const std::string& text) {
  std::size_t longest = 0, begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && std::string(" ,:=/_|").find(text[i]) == std::string::npos) continue;
    longest = std::max(longest, text_width(text.substr(begin, i + 1 - begin)));
    begin = i + 1;
  }
  return static_cast<double>(longest) * digit;
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
      static_cast<double>(column.format == CellFormat::exact ? exact_width(text) : text_width(text)) * digit;
  return characters + (number && text.find('E') != std::string::npos ? power_of_ten - 2 * digit : 0);
}

TexColumn tex_column(const Table& table, const PrintedTable& printed, std::size_t c) {
  const Column& column = table.columns[c];
  TexColumn tex;
  tex.head = column.tex.empty() ? breakable(column.label) : column.tex;
  tex.decimal = is_decimal(column);
  tex.text = column.format == CellFormat::text;
  tex.right = printed.right[c];
  tex.natural = static_cast<double>(text_width(column.label)) * digit;
  for (std::size_t r = 0; r < printed.rows.size(); ++r) {
    const std::string& text = printed.rows[r][c];
    const bool number = tex.decimal && cell_number(table.rows[r][c]);
    tex.plain.push_back(text);
    tex.is_number.push_back(number);
    tex.cells.push_back(number ? text : column.format == CellFormat::exact ? exact_to_latex(text) : breakable(text));
    tex.natural = std::max(tex.natural, cell_width(text, number, column));
    tex.word = std::max(tex.word, longest_word(text));
  }
  return tex;
}

// What siunitx reserves on each side of the point: 1.4e-2 for 7.0007E-05.
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

double total(const std::vector<TexColumn>& columns, double (*width)(const TexColumn&)) {
  return std::accumulate(columns.begin(), columns.end(), 0.0,
                         [&](double sum, const TexColumn& column) { return sum + width(column) + gap; });
}

double least_width(const std::vector<TexColumn>& columns) {
  return total(columns, [](const TexColumn& column) { return column.least(); });
}

// Sets often give a table their own name, or begin with it.
std::string unique_label(const std::string& id, const LatexSetting& setting) {
  const std::string stem = file_stem(id), set = setting.set.empty() ? "" : file_stem(setting.set);
  const std::string paper = setting.paper.empty() ? "" : file_stem(setting.paper) + "-";
  return paper + (set.empty() || stem.starts_with(set) ? stem : set + "-" + stem);
}

// A table between its data and its LaTeX.
class LatexTable {
 public:
  LatexTable(const Table& table, const LatexSetting& setting)
      : caption_(breakable(table.caption)), setting_(setting), width_(setting.columns == 1 ? one_column : two_columns) {
    label_ = unique_label(table.id, setting);
    const PrintedTable printed = printed_table(table);
    rows_ = printed.rows.size();
    for (std::size_t c = 0; c < table.columns.size(); ++c) columns_.push_back(tex_column(table, printed, c));
    move_constants_to_caption();
    move_repeated_sentences_to_notes();
    arrange();
  }

  std::string text() const {
    if (is_long()) return long_table();
    std::string text;
    const std::size_t rows_per_float =
        lines() > lines_of_a_page
            ? std::max<std::size_t>(1, static_cast<std::size_t>(rows_ * lines_of_a_page / lines()))
            : rows_;
    for (std::size_t row = 0; row == 0 || row < rows_; row += rows_per_float)
      text += float_table(row, std::min(rows_, row + rows_per_float));
    return text;
  }

 private:
  // ----- what goes where -----

  bool is_constant(const TexColumn& column) const {
    return std::all_of(column.plain.begin(), column.plain.end(),
                       [&](const std::string& cell) { return cell == column.plain.front(); });
  }

  // A column that says the same in each row says it once. The first column names the rows.
  void move_constants_to_caption() {
    if (rows_ < 2) return;
    std::string same;
    for (std::size_t c = columns_.size(); c-- > 1;) {
      if (columns_.size() <= 2 || !is_constant(columns_[c])) continue;
      if (columns_[c].plain.front() != dash)
        same = fmt::format("{} {}{}{}", columns_[c].head, columns_[c].cells.front(), same.empty() ? "" : "; ", same);
      columns_.erase(columns_.begin() + static_cast<std::ptrdiff_t>(c));
    }
    if (!same.empty()) caption_ += " In all rows: " + same + ".";
  }

  static bool has_sentences(const TexColumn& column) {
    return column.text && std::any_of(column.plain.begin(), column.plain.end(),
                                      [](const std::string& cell) { return text_width(cell) > sentence; });
  }

  void move_repeated_sentences_to_notes() {
    for (std::size_t c = columns_.size(); c-- > 1;) {
      if (!has_sentences(columns_[c])) continue;
      const std::set<std::string> different(columns_[c].plain.begin(), columns_[c].plain.end());
      if (2 * different.size() <= rows_) move_to_notes(c);
    }
  }

  // Marks are in the nearest column of text to the left.
  void move_to_notes(std::size_t c) {
    std::size_t marked = c - 1;
    while (marked > 0 && !columns_[marked].text) --marked;
    for (std::size_t r = 0; r < rows_; ++r) {
      if (columns_[c].plain[r].empty() || columns_[c].plain[r] == dash) continue;
      const std::string& note = columns_[c].cells[r];
      std::size_t number = static_cast<std::size_t>(std::find(notes_.begin(), notes_.end(), note) - notes_.begin());
      if (number == notes_.size()) notes_.push_back(note);
      columns_[marked].cells[r] += fmt::format("\\textsuperscript{{{}}}", note_mark(number));
      columns_[marked].is_number[r] = false;
    }
    columns_.erase(columns_.begin() + static_cast<std::ptrdiff_t>(c));
  }

  // a, b, ..., z, aa, ab, ...
  static std::string note_mark(std::size_t number) {
    std::string mark(1, static_cast<char>('a' + number % 26));
    return number < 26 ? mark : note_mark(number / 26 - 1) + mark;
  }

  // ----- what fits -----

  void arrange() {
    for (std::size_t c = columns_.size(); c-- > 1 && least_width(columns_) > width_ && columns_.size() > 2;)
      if (has_sentences(columns_[c])) move_to_notes(c);
    if (least_width(columns_) > width_) shorten_exponents();
    blocks_ = {columns_};
    if (least_width(columns_) <= width_) return;
    if (const auto turned = transposed(); turned && least_width(*turned) <= width_) {
      blocks_ = {*turned};
      rows_ = turned->front().cells.size();
      return;
    }
    blocks_ = split();
    if (setting_.columns == 2 && (blocks_.size() > 2 || widest_block() > width_)) {
      starred_ = true;
      width_ = both_columns;
      blocks_ = split();
    }
  }

  double widest_block() const {
    double widest = 0;
    for (const auto& block : blocks_) widest = std::max(widest, least_width(block));
    return widest;
  }

  // 7.0E-5 instead of a power of ten.
  void shorten_exponents() {
    short_exponents_ = true;
    for (TexColumn& column : columns_) {
      if (!column.decimal) continue;
      double widest = static_cast<double>(text_width(column.head)) * digit;
      for (const std::string& cell : column.plain)
        widest = std::max(widest, static_cast<double>(text_width(cell)) * digit);
      column.natural = std::min(column.natural, widest);
    }
  }

  // Rows as columns, for a table of few rows.
  std::optional<std::vector<TexColumn>> transposed() const {
    if (rows_ == 0 || rows_ > most_transposed_rows || columns_.size() < 2) return std::nullopt;
    std::vector<TexColumn> turned(rows_ + 1);
    turned[0].head = columns_[0].head;
    turned[0].text = true;
    for (std::size_t r = 0; r < rows_; ++r) {
      turned[r + 1].head = columns_[0].cells[r];
      turned[r + 1].right = true;
      turned[r + 1].natural = static_cast<double>(text_width(columns_[0].plain[r])) * digit;
    }
    for (std::size_t c = 1; c < columns_.size(); ++c) {
      add_cell(turned[0], columns_[c].head, columns_[c].head,
               static_cast<double>(text_width(columns_[c].head)) * digit);
      for (std::size_t r = 0; r < rows_; ++r)
        add_cell(turned[r + 1], columns_[c].plain[r], columns_[c].cells[r],
                 static_cast<double>(text_width(columns_[c].plain[r])) * digit);
    }
    return turned;
  }

  static void add_cell(TexColumn& column, const std::string& plain, const std::string& cell, double width) {
    column.plain.push_back(plain);
    column.cells.push_back(cell);
    column.is_number.push_back(false);
    column.natural = std::max(column.natural, width);
  }

  // Groups of columns below each other, each with the first column.
  std::vector<std::vector<TexColumn>> split() const {
    std::vector<std::vector<TexColumn>> blocks;
    for (std::size_t c = 1; c < columns_.size(); ++c) {
      std::vector<TexColumn> wider = blocks.empty() ? std::vector<TexColumn>{columns_[0]} : blocks.back();
      wider.push_back(columns_[c]);
      if (!blocks.empty() && least_width(wider) <= width_)
        blocks.back() = wider;
      else
        blocks.push_back({columns_[0], columns_[c]});
    }
    return blocks;
  }

  // ----- LaTeX -----

  // The lines of a table, when long texts share the width that the others leave.
  double lines() const {
    double lines = static_cast<double>(notes_.size());
    for (const auto& block : blocks_) {
      double left = width_, wanted = 0;
      for (const TexColumn& column : block)
        (column.text ? wanted : left) += column.text ? column.natural : -column.natural - gap;
      const double broken = wanted > left ? std::ceil(1.3 * wanted / std::max(left, narrowest_text)) : 1;
      lines += 2 + static_cast<double>(rows_) * broken;
    }
    return lines;
  }

  // Long texts share what the other columns leave, by the square roots of their lengths.
  std::string column_types(const std::vector<TexColumn>& block) const {
    double roots = 0, wide = 0;
    for (const TexColumn& column : block)
      if (is_wide(column)) roots += std::sqrt(column.natural), ++wide;
    const bool breaks = breaks_lines(block);
    std::string types;
    for (const TexColumn& column : block) {
      if (breaks && is_wide(column))
        types += fmt::format("L{{{:.2f}}}", std::sqrt(column.natural) * wide / roots);
      else if (has_numbers(column))
        types += fmt::format("S[table-format={}]", number_format(column));
      else
        types += column.right ? "r" : "l";
    }
    return types;
  }

  // longtable knows no columns of text.
  bool is_long() const { return setting_.columns == 1 && lines() > lines_of_a_float; }

  static bool is_wide(const TexColumn& column) { return column.natural > column.least(); }

  static bool has_numbers(const TexColumn& column) {
    return std::find(column.is_number.begin(), column.is_number.end(), true) != column.is_number.end();
  }

  bool breaks_lines(const std::vector<TexColumn>& block) const {
    return total(block, [](const TexColumn& column) { return column.natural; }) > width_ &&
           std::any_of(block.begin(), block.end(), is_wide);
  }

  // siunitx leaves alone what is in braces.
  static std::string cell(const TexColumn& column, const std::string& text, bool number) {
    return has_numbers(column) && !number ? "{" + text + "}" : text;
  }

  std::string header(const std::vector<TexColumn>& block) const {
    std::string text = "\\toprule\n";
    for (std::size_t c = 0; c < block.size(); ++c) text += (c ? " & " : "") + cell(block[c], block[c].head, false);
    return text + " \\\\\n\\midrule\n";
  }

  std::string body(const std::vector<TexColumn>& block, std::size_t first, std::size_t end) const {
    std::string text;
    for (std::size_t r = first; r < end; ++r) {
      for (std::size_t c = 0; c < block.size(); ++c)
        text += (c ? " & " : "") + cell(block[c], block[c].cells[r], block[c].is_number[r]);
      // No page of a long table ends with its first row, or begins with its last.
      text += is_long() && (r == first || r + 2 == end) ? " \\\\*\n" : " \\\\\n";
    }
    return text;
  }

  std::string settings() const {
    return fmt::format("\\footnotesize\\setlength{{\\tabcolsep}}{{{}pt}}{}\n", gap / 2,
                       short_exponents_ ? "\\sisetup{output-exponent-marker=\\text{E}}" : "");
  }

  std::string notes() const {
    std::string text;
    for (std::size_t i = 0; i < notes_.size(); ++i)
      text += fmt::format("{}\\textsuperscript{{{}}}\\,{}", i ? "\n" : "", note_mark(i), notes_[i]);
    return text.empty() ? ""
                        : "\\par\\smallskip\\noindent\\begin{minipage}{\\linewidth}\\footnotesize\\raggedright\n" +
                              text + "\n\\end{minipage}\n";
  }

  std::string float_table(std::size_t first, std::size_t end) const {
    const char* star = starred_ ? "*" : "";
    std::string text = fmt::format("\\begin{{table{}}}[htbp]\n\\centering{}", star, settings());
    text += fmt::format("\\caption{{{}{}}}\n", caption_, first ? " (continued)" : "");
    if (first == 0) text += fmt::format("\\label{{tab:{}}}\n", label_);
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      const bool breaks = breaks_lines(blocks_[b]);
      const char* name = breaks ? "tabularx" : "tabular";
      text += fmt::format("{}\\begin{{{}}}{}{{{}}}\n", b ? "\\par\\smallskip\n" : "", name,
                          breaks ? "{\\linewidth}" : "", column_types(blocks_[b]));
      text += header(blocks_[b]) + body(blocks_[b], first, end) + fmt::format("\\bottomrule\n\\end{{{}}}\n", name);
    }
    return text + (end == rows_ ? notes() : "") + fmt::format("\\end{{table{}}}\n", star);
  }

  // xltabular reads a caption as a cell of its first column, which must not be one of siunitx then.
  static std::vector<TexColumn> for_xltabular(std::vector<TexColumn> block) {
    TexColumn& first = block.front();
    for (std::size_t r = 0; r < first.cells.size(); ++r)
      if (first.is_number[r]) first.cells[r] = fmt::format("\\num{{{}}}", first.cells[r]);
    first.right = has_numbers(first) || first.right;
    first.is_number.assign(first.cells.size(), false);
    return block;
  }

  // The head is repeated on each page.
  std::string long_table() const {
    std::string text = "{" + settings();
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      const bool breaks = breaks_lines(blocks_[b]);
      const std::vector<TexColumn> block = breaks ? for_xltabular(blocks_[b]) : blocks_[b];
      const char* name = breaks ? "xltabular" : "longtable";
      text += fmt::format("\\begin{{{}}}{}{{{}}}\n\\caption{}{{{}{}}}", name, breaks ? "{\\linewidth}" : "",
                          column_types(block), b ? "*" : "", caption_, b ? " (continued)" : "");
      if (b == 0) text += fmt::format("\\label{{tab:{}}}", label_);
      text += " \\\\\n" + header(block) + "\\endfirsthead\n" + header(block) + "\\endhead\n" + body(block, 0, rows_) +
              fmt::format("\\bottomrule\n\\end{{{}}}\n", name);
    }
    return text + notes() + "}\n";
  }

  std::string caption_, label_;
  LatexSetting setting_;
  double width_;
  std::size_t rows_ = 0;
  bool short_exponents_ = false, starred_ = false;
  std::vector<TexColumn> columns_;
  std::vector<std::vector<TexColumn>> blocks_;  // below each other
  std::vector<std::string> notes_;
};

}  // namespace

std::string figure_to_latex(const Figure& figure, const std::string& folder, const std::string& format,
                            const LatexSetting& setting, double width) {
  constexpr double column = 246 * 25.4 / 72.27;  // of two [mm]
  const std::string path = folder + "/" + file_stem(figure.id),
                    environment = setting.columns == 2 && width > 1.1 * column ? "figure*" : "figure";
  const std::string drawing =
      format == "pgf"
          ? fmt::format(
                "\\resizebox{{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}}{{!}}{{\\input{{"
                "{}.pgf.tex}}}}",
                path)
          : fmt::format("\\includegraphics[width=\\linewidth,height=0.9\\textheight,keepaspectratio]{{{}.{}}}", path,
                        format);
  return fmt::format("\\begin{{{0}}}[htbp]\n\\centering\n{1}\n\\caption{{{2}}}\n\\label{{fig:{3}}}\n\\end{{{0}}}\n",
                     environment, drawing, breakable(figure.caption), unique_label(figure.id, setting));
}

std::string table_to_latex(const Table& table, const LatexSetting& setting) {
  return LatexTable(table, setting).text();
}

}  // namespace daelab
