#include "report/tables/latex_arrangement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>
#include <set>

#include "report/layout/number.hpp"
#include "report/layout/shown_text.hpp"

namespace daelab {
namespace {

// Widths of text [pt].
constexpr double one_column = 345, two_columns = 246, both_columns = 510;
// Longer text may become a note.
constexpr std::size_t sentence = 45;
// Shorter texts are not worth a note [pt].
constexpr double shortest_note = 12 * tex_digit;
// A transposed table has a column for each row.
constexpr std::size_t most_transposed_rows = 6;

class Arranger {
 public:
  Arranger(const Table& table, int columns_of_text) : columns_of_text_(columns_of_text) {
    made_.caption = caption_latex(table.caption);
    made_.width = columns_of_text == 1 ? one_column : two_columns;
    const PrintedTable printed = printed_table(table);
    made_.rows = printed.rows.size();
    for (std::size_t c = 0; c < table.columns.size(); ++c) columns_.push_back(tex_column(table, printed, c));
  }

  LatexArrangement arranged() {
    move_constants_to_caption();
    move_repeated_sentences_to_notes();
    arrange();
    return std::move(made_);
  }

 private:
  // ----- what goes where -----

  bool is_constant(const TexColumn& column) const {
    return std::all_of(column.plain.begin(), column.plain.end(),
                       [&](const std::string& cell) { return cell == column.plain.front(); });
  }

  // A column that says the same in each row says it once. The first column names the rows.
  void move_constants_to_caption() {
    if (made_.rows < 2) return;
    std::string same;
    for (std::size_t c = columns_.size(); c-- > 1;) {
      if (columns_.size() <= 2 || !is_constant(columns_[c])) continue;
      if (columns_[c].plain.front() != dash)
        same = fmt::format("{} {}{}{}", columns_[c].head, columns_[c].cells.front(), same.empty() ? "" : "; ", same);
      columns_.erase(columns_.begin() + static_cast<std::ptrdiff_t>(c));
    }
    if (!same.empty()) made_.caption += " In all rows: " + same + ".";
  }

  static bool has_sentences(const TexColumn& column) {
    return column.text && std::any_of(column.plain.begin(), column.plain.end(),
                                      [](const std::string& cell) { return text_width(cell) > sentence; });
  }

  bool repeats_texts(const TexColumn& column) const {
    const std::set<std::string> different(column.plain.begin(), column.plain.end());
    return column.text && 2 * different.size() <= made_.rows;
  }

  void move_repeated_sentences_to_notes() {
    for (std::size_t c = columns_.size(); c-- > 1;) {
      if (has_sentences(columns_[c]) && repeats_texts(columns_[c])) move_to_notes(c);
    }
  }

  static bool has_numbers(const TexColumn& column) {
    return std::any_of(column.plain.begin(), column.plain.end(), [](const std::string& cell) {
      return !cell.empty() && std::isdigit(static_cast<unsigned char>(cell[0]));
    });
  }

  // Marks are in the nearest column of words to the left: at a number they would be an exponent.
  void move_to_notes(std::size_t c) {
    std::size_t marked = c - 1;
    while (marked > 0 && (!columns_[marked].text || has_numbers(columns_[marked]))) --marked;
    for (std::size_t r = 0; r < made_.rows; ++r) {
      if (columns_[c].plain[r].empty() || columns_[c].plain[r] == dash) continue;
      const std::string& note = columns_[c].cells[r];
      std::size_t number =
          static_cast<std::size_t>(std::find(made_.notes.begin(), made_.notes.end(), note) - made_.notes.begin());
      if (number == made_.notes.size()) made_.notes.push_back(note);
      columns_[marked].cells[r] += fmt::format("\\textsuperscript{{{}}}", note_mark(number));
      columns_[marked].is_number[r] = false;
    }
    columns_.erase(columns_.begin() + static_cast<std::ptrdiff_t>(c));
  }

  // ----- what fits -----

  void arrange() {
    // Both columns of the text before texts that differ in each row go into notes.
    if (columns_of_text_ == 2 && least_width(columns_) > made_.width &&
        std::ranges::count_if(columns_, has_sentences) > 1)
      made_.starred = true, made_.width = both_columns;
    for (std::size_t c = columns_.size(); c-- > 1 && least_width(columns_) > made_.width && columns_.size() > 2;)
      if (has_sentences(columns_[c])) move_to_notes(c);
    if (least_width(columns_) > made_.width) shorten_exponents();
    made_.blocks = {columns_};
    if (least_width(columns_) <= made_.width) return;
    if (const auto turned = transposed(); turned && least_width(*turned) <= made_.width) {
      made_.blocks = {*turned};
      made_.rows = turned->front().cells.size();
      return;
    }
    split_or_annotate();
    if (columns_of_text_ == 2 && (made_.blocks.size() > 2 || widest_block() > made_.width)) {
      made_.starred = true;
      made_.width = both_columns;
      split_or_annotate();
    }
  }

  // Blocks below each other; none where a column of repeated texts, in notes, makes room for the others.
  void split_or_annotate() {
    made_.blocks = split();
    if (made_.blocks.size() == 1) return;
    for (std::size_t c = columns_.size(); c-- > 1;) {
      std::vector<TexColumn> others = columns_;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(c));
      const bool is_short = columns_[c].natural < shortest_note;  // a number, a word
      if (is_short || !repeats_texts(columns_[c]) || least_width(others) > made_.width) continue;
      move_to_notes(c);
      made_.blocks = {columns_};
      return;
    }
  }

  double widest_block() const {
    double widest = 0;
    for (const auto& block : made_.blocks) widest = std::max(widest, least_width(block));
    return widest;
  }

  // 7.0E-5 instead of a power of ten.
  void shorten_exponents() {
    made_.short_exponents = true;
    for (TexColumn& column : columns_) {
      if (!column.decimal) continue;
      double widest = static_cast<double>(text_width(column.head)) * tex_digit;
      for (const std::string& cell : column.plain)
        widest = std::max(widest, static_cast<double>(text_width(cell)) * tex_digit);
      column.natural = std::min(column.natural, widest);
    }
  }

  // Rows as columns, for a table of few rows.
  std::optional<std::vector<TexColumn>> transposed() const {
    if (made_.rows == 0 || made_.rows > most_transposed_rows || columns_.size() < 2) return std::nullopt;
    std::vector<TexColumn> turned(made_.rows + 1);
    turned[0].head = columns_[0].head;
    turned[0].text = true;
    for (std::size_t r = 0; r < made_.rows; ++r) {
      turned[r + 1].head = columns_[0].cells[r];
      turned[r + 1].right = true;
      turned[r + 1].natural = static_cast<double>(text_width(columns_[0].plain[r])) * tex_digit;
    }
    for (std::size_t c = 1; c < columns_.size(); ++c) {
      add_cell(turned[0], columns_[c].head, columns_[c].head,
               static_cast<double>(text_width(columns_[c].head)) * tex_digit);
      for (std::size_t r = 0; r < made_.rows; ++r)
        add_cell(turned[r + 1], columns_[c].plain[r], columns_[c].cells[r],
                 static_cast<double>(text_width(columns_[c].plain[r])) * tex_digit);
    }
    return turned;
  }

  static void add_cell(TexColumn& column, const std::string& plain, const std::string& cell, double width) {
    column.plain.push_back(plain);
    column.cells.push_back(cell);
    column.is_number.push_back(false);
    column.natural = std::max(column.natural, width);
  }

  // Groups of columns below each other, each with the first column: as few as fit, and as narrow as so few can be, so
  // that none is left with a column alone beside full ones.
  std::vector<std::vector<TexColumn>> split() const {
    constexpr double step = 5;  // [pt]
    Blocks blocks = split_at(made_.width);
    for (double width = made_.width - step; width > 0; width -= step) {
      Blocks narrower = split_at(width);
      if (narrower.size() > blocks.size()) break;
      blocks = std::move(narrower);
    }
    std::vector<std::vector<TexColumn>> made(blocks.size());
    for (std::size_t b = 0; b < blocks.size(); ++b)
      for (const std::size_t c : blocks[b]) made[b].push_back(columns_[c]);
    return made;
  }

  // Columns by their numbers: cells of many rows are copied once, and not for each width that is tried.
  using Blocks = std::vector<std::vector<std::size_t>>;

  Blocks split_at(double width) const {
    Blocks blocks;
    for (std::size_t c = 1; c < columns_.size(); ++c) {
      if (!blocks.empty() && least_width_of(blocks.back()) + columns_[c].least() + tex_gap <= width)
        blocks.back().push_back(c);
      else
        blocks.push_back({0, c});
    }
    return blocks;
  }

  double least_width_of(const std::vector<std::size_t>& block) const {
    double sum = 0;
    for (const std::size_t c : block) sum = sum + columns_[c].least() + tex_gap;
    return sum;
  }

  int columns_of_text_;
  std::vector<TexColumn> columns_;
  LatexArrangement made_;
};

}  // namespace

bool LatexArrangement::breaks_lines(const std::vector<TexColumn>& block) const {
  return natural_width(block) > width && std::ranges::any_of(block, &TexColumn::is_wide);
}

double LatexArrangement::lines() const {
  double lines = static_cast<double>(notes.size());
  for (const auto& block : blocks) {
    double left = width, wanted = 0;
    for (const TexColumn& column : block)
      (column.text ? wanted : left) += column.text ? column.natural : -column.natural - tex_gap;
    const double broken = wanted > left ? std::ceil(1.3 * wanted / std::max(left, narrowest_text)) : 1;
    lines += 2 + static_cast<double>(rows) * broken;
  }
  return lines;
}

LatexArrangement arranged(const Table& table, int columns_of_text) {
  return Arranger(table, columns_of_text).arranged();
}

std::string note_mark(std::size_t number) {
  std::string mark(1, static_cast<char>('a' + number % 26));
  return number < 26 ? mark : note_mark(number / 26 - 1) + mark;
}

}  // namespace daelab
