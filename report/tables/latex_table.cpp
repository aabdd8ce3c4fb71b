#include "report/tables/latex_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "report/layout/shown_text.hpp"
#include "report/tables/latex_arrangement.hpp"

namespace daelab {
namespace {

constexpr double lines_of_a_float = 36, lines_of_a_page = 43;

// Sets often give a table their own name, or begin with it.
std::string unique_label(const std::string& id, const LatexSetting& setting) {
  const std::string stem = file_stem(id), set = setting.set.empty() ? "" : file_stem(setting.set);
  const std::string paper = setting.paper.empty() ? "" : file_stem(setting.paper) + "-";
  return paper + (set.empty() || stem.starts_with(set) ? stem : set + "-" + stem);
}

// Writes a table that was arranged.
class LatexTable {
 public:
  LatexTable(const Table& table, const LatexSetting& setting)
      : table_(arranged(table, setting.columns)),
        setting_(setting),
        label_(unique_label(table.id, setting)),
        has_best_(!table.best.empty()) {}

  std::string text() const {
    if (is_long()) return long_table();
    std::string text;
    const std::size_t rows_per_float =
        table_.lines() > lines_of_a_page
            ? std::max<std::size_t>(1, static_cast<std::size_t>(table_.rows * lines_of_a_page / table_.lines()))
            : table_.rows;
    std::size_t row = 0;
    do {  // a table without rows has its head
      text += float_table(row, std::min(table_.rows, row + rows_per_float));
      row += rows_per_float;
    } while (row < table_.rows);
    return text + (notes_are_text() ? notes() : "");
  }

 private:
  // Long texts share what the other columns leave, by the square roots of their lengths.
  std::string column_types(const std::vector<TexColumn>& block) const {
    double roots = 0, wide = 0;
    for (const TexColumn& column : block)
      if (column.is_wide()) roots += std::sqrt(column.natural), ++wide;
    const bool breaks = table_.breaks_lines(block);
    std::string types;
    for (const TexColumn& column : block) {
      if (breaks && column.is_wide())
        types += fmt::format("L{{{:.2f}}}", std::sqrt(column.natural) * wide / roots);
      else if (column.has_numbers())
        types += fmt::format("S[table-format={}]", number_format(column));
      else
        types += column.right ? "r" : "l";
    }
    return types;
  }

  // longtable knows no columns of text.
  bool is_long() const { return setting_.columns == 1 && table_.lines() > lines_of_a_float; }

  // siunitx leaves alone what is in braces.
  static std::string cell(const std::string& text, bool beside_numbers) {
    return beside_numbers ? "{" + text + "}" : text;
  }

  std::string header(const std::vector<TexColumn>& block) const {
    std::string text = "\\toprule\n";
    for (std::size_t c = 0; c < block.size(); ++c)
      text += (c ? " & " : "") + cell(block[c].head, block[c].has_numbers());
    return text + " \\\\\n\\midrule\n";
  }

  std::string body(const std::vector<TexColumn>& block, std::size_t first, std::size_t end) const {
    std::string text;
    std::vector<bool> has_numbers;
    for (const TexColumn& column : block) has_numbers.push_back(column.has_numbers());
    const bool is_long = this->is_long();
    for (std::size_t r = first; r < end; ++r) {
      for (std::size_t c = 0; c < block.size(); ++c)
        text += (c ? " & " : "") + cell(block[c].cells[r], has_numbers[c] && !block[c].is_number[r]);
      // No page of a long table ends with its first row, or begins with its last.
      text += is_long && (r == first || r + 2 == end) ? " \\\\*\n" : " \\\\\n";
    }
    return text;
  }

  std::string settings() const {
    return fmt::format("\\footnotesize\\setlength{{\\tabcolsep}}{{{}pt}}{}{}\n", tex_gap / 2,
                       table_.short_exponents ? "\\sisetup{output-exponent-marker=\\text{E}}" : "",
                       has_best_ ? "\\sisetup{detect-weight=true}" : "");
  }

  // Many, and those of a long table, are paragraphs of the text, which go on over pages as no box does.
  bool notes_are_text() const {
    constexpr std::size_t many = 20;
    return is_long() || table_.notes.size() > many;
  }

  std::string notes() const {
    if (table_.notes.empty()) return "";
    std::string text;
    const char* between = notes_are_text() ? "\\par\n" : "\n";
    for (std::size_t i = 0; i < table_.notes.size(); ++i)
      text += fmt::format("{}\\textsuperscript{{{}}}\\,{}", i ? between : "", note_mark(i), table_.notes[i]);
    const std::string begin = "\\par\\smallskip", set = "\\footnotesize\\raggedright\n";
    if (notes_are_text()) return begin + "{" + set + "\\parindent0pt " + text + "\\par}\n";
    return begin + "\\noindent\\begin{minipage}{\\linewidth}" + set + text + "\n\\end{minipage}\n";
  }

  std::string float_table(std::size_t first, std::size_t end) const {
    const char* star = table_.starred ? "*" : "";
    std::string text = fmt::format("\\begin{{table{}}}[htbp]\n\\centering{}", star, settings());
    // The classes of LaTeX put no space between a caption and what is below it.
    text += "\\setlength{\\abovecaptionskip}{0pt}\\setlength{\\belowcaptionskip}{5pt}%\n";
    text += fmt::format("\\caption{{{}{}}}\n", table_.caption, first ? " (continued)" : "");
    if (first == 0) text += fmt::format("\\label{{tab:{}}}\n", label_);
    for (std::size_t b = 0; b < table_.blocks.size(); ++b) {
      const bool breaks = table_.breaks_lines(table_.blocks[b]);
      const char* name = breaks ? "tabularx" : "tabular";
      text += fmt::format("{}\\begin{{{}}}{}{{{}}}\n", b ? "\\par\\smallskip\n" : "", name,
                          breaks ? "{\\linewidth}" : "", column_types(table_.blocks[b]));
      text += header(table_.blocks[b]) + body(table_.blocks[b], first, end) +
              fmt::format("\\bottomrule\n\\end{{{}}}\n", name);
    }
    return text + (end == table_.rows && !notes_are_text() ? notes() : "") + fmt::format("\\end{{table{}}}\n", star);
  }

  // xltabular reads a caption as a cell of its first column, which must not be one of siunitx then.
  static std::vector<TexColumn> for_xltabular(std::vector<TexColumn> block) {
    TexColumn& first = block.front();
    for (std::size_t r = 0; r < first.cells.size(); ++r)
      if (first.is_number[r]) first.cells[r] = fmt::format("\\num{{{}}}", first.cells[r]);
    first.right = first.has_numbers() || first.right;
    first.is_number.assign(first.cells.size(), false);
    return block;
  }

  // The head is repeated on each page.
  std::string long_table() const {
    std::string text = "{" + settings();
    for (std::size_t b = 0; b < table_.blocks.size(); ++b) {
      const bool breaks = table_.breaks_lines(table_.blocks[b]);
      const std::vector<TexColumn> block = breaks ? for_xltabular(table_.blocks[b]) : table_.blocks[b];
      const char* name = breaks ? "xltabular" : "longtable";
      text += fmt::format("\\begin{{{}}}{}{{{}}}\n\\caption{}{{{}{}}}", name, breaks ? "{\\linewidth}" : "",
                          column_types(block), b ? "*" : "", table_.caption, b ? " (continued)" : "");
      if (b == 0) text += fmt::format("\\label{{tab:{}}}", label_);
      text += " \\\\\n" + header(block) + "\\endfirsthead\n" + header(block) + "\\endhead\n" +
              body(block, 0, table_.rows) + fmt::format("\\bottomrule\n\\end{{{}}}\n", name);
    }
    return text + notes() + "}\n";
  }

  LatexArrangement table_;
  LatexSetting setting_;
  std::string label_;
  bool has_best_;
};

}  // namespace

std::string figure_to_latex(const Figure& figure, const std::string& folder, const std::string& format,
                            const LatexSetting& setting, double width) {
  constexpr double column = 246 * 25.4 / 72.27;  // of two [mm]
  const std::string path = "\\daelabpath " + folder + "/" + file_stem(figure.id),
                    environment = setting.columns == 2 && width > 1.1 * column ? "figure*" : "figure";
  const std::string drawing =
      format == "pgf"
          ? fmt::format(
                "\\resizebox{{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}}{{!}}{{\\input{{"
                "{}.pgf.tex}}}}",
                path)
          : fmt::format("\\includegraphics[width=\\linewidth,height=0.9\\textheight,keepaspectratio]{{{}.{}}}", path,
                        format);
  return fmt::format(
      "\\providecommand{{\\daelabpath}}{{}}\n\\begin{{{0}}}[htbp]\n\\centering\n{1}\n\\caption{{{2}}}\n"
      "\\label{{fig:{3}}}\n\\end{{{0}}}\n",
      environment, drawing, caption_latex(figure.caption), unique_label(figure.id, setting));
}

std::string table_to_latex(const Table& table, const LatexSetting& setting) {
  return LatexTable(table, setting).text();
}

}  // namespace daelab
