#include "report/tables/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <numeric>
#include <set>

#include "core/base/exact.hpp"
#include "report/layout/number.hpp"
#include "report/layout/shown_text.hpp"

namespace daelab {
namespace {

void require_complete_rows(const Table& table) {
  for (std::size_t i = 0; i < table.rows.size(); ++i)
    if (table.rows[i].size() != table.columns.size())
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

// TableRow of one line, aligned and joined.
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

// Text stays text: an apostrophe before it is what spreadsheets take for that.
std::string csv_text(const std::string& text) {
  return quote_csv((is_formula_of_spreadsheets(text) ? "'" : "") + text);
}

std::string csv_cell(const TableCell& cell, const Column& column) {
  return cell.text() && column.format == CellFormat::text ? csv_text(*cell.text()) : quote_csv(plain_text(cell));
}

// A label that several columns have ("EOC") follows that of the column it belongs to ("EOC of q").
std::vector<std::string> csv_names(const Table& table) {
  std::map<std::string, int> count;
  for (const Column& column : table.columns) ++count[column.label];
  std::vector<std::string> names;
  std::string owner;
  std::map<std::string, int> used;
  for (const Column& column : table.columns) {
    if (count[column.label] == 1) owner = column.label;
    std::string name = count[column.label] == 1 || owner.empty() ? column.label : column.label + " of " + owner;
    if (const int times = ++used[name]; times > 1) name += fmt::format(" ({})", times);
    names.push_back(std::move(name));
  }
  return names;
}

// A fraction, a root or a decimal as a program reads it: "1/160" is 0.00625.
std::string csv_decimal(const TableCell& cell) {
  return cell.empty() ? "" : fmt::format("{}", Exact(*cell.text()).as<double>());
}

// Step sizes are text, since they are exact; coefficients stay as they are written.
bool holds_exact_numbers(const Table& table, std::size_t column) {
  if (table.columns[column].format != CellFormat::text) return false;
  bool fraction = false;
  for (const TableRow& row : table.rows) {
    if (row[column].empty()) continue;
    const std::string* const text = row[column].text();
    if (text == nullptr) return false;
    try {
      static_cast<void>(Exact(*text));
    } catch (const InputError&) {
      return false;
    }
    fraction |= text->find_first_of("/(") != std::string::npos;
  }
  return fraction;
}

// How many of the first columns tell the rows apart; 1 if all together do not.
std::size_t naming_columns(const PrintedTable& printed) {
  for (std::size_t n = 1; n < printed.header.size(); ++n) {
    std::set<std::vector<std::string>> seen;
    const auto is_new = [&](const std::vector<std::string>& row) {
      return seen.emplace(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(n)).second;
    };
    if (std::ranges::all_of(printed.rows, is_new)) return n;
  }
  return 1;
}

// A column whose label others have, too ("EOC", "theory"), belongs to the one before it.
std::vector<std::vector<std::size_t>> column_groups(const Table& table, std::size_t first) {
  std::map<std::string, int> count;
  for (const Column& column : table.columns) ++count[column.label];
  std::vector<std::vector<std::size_t>> groups;
  for (std::size_t c = first; c < table.columns.size(); ++c) {
    if (groups.empty() || count[table.columns[c].label] == 1) groups.emplace_back();
    groups.back().push_back(c);
  }
  return groups;
}

Table with_columns(const Table& table, const std::vector<std::size_t>& columns) {
  Table part{table.id, "", {}, {}};
  for (const std::size_t c : columns) part.columns.push_back(table.columns[c]);
  for (const TableRow& row : table.rows) {
    part.rows.emplace_back();
    for (const std::size_t c : columns) part.rows.back().push_back(row[c]);
  }
  return part;
}

// A table in parts of this width below one another, each with the columns that name the rows.
class NarrowParts {
 public:
  NarrowParts(const Table& table, std::size_t width)
      : width_(width), printed_(printed_table(table)), widths_(column_widths(printed_)) {
    std::size_t names = naming_columns(printed_);
    for (std::size_t c = 0; c < std::min(names, widths_.size()); ++c) names_.push_back(c);
    if (width_of(names_) > width / 2) names_.resize(1), names = 1;  // they would be all there is
    begin_part();
    for (const std::vector<std::size_t>& group : column_groups(table, names)) {
      if (left_out_ == 0 && add(group)) continue;
      for (const std::size_t c : group) left_out_ += left_out_ > 0 || !add({c});
    }
  }
  const std::vector<std::vector<std::size_t>>& columns() const { return columns_; }
  std::size_t left_out() const { return left_out_; }  // columns: too wide, or of more parts than anybody reads

 private:
  std::size_t width_of(const std::vector<std::size_t>& group) const {
    constexpr std::size_t gap = 2;
    return std::accumulate(group.begin(), group.end(), std::size_t{0},
                           [&](std::size_t sum, std::size_t c) { return sum + gap + widths_[c]; }) -
           (group.front() == 0 ? gap : 0);
  }
  void begin_part() { columns_.push_back(names_), used_ = width_of(names_); }
  bool add(const std::vector<std::size_t>& group) {
    constexpr std::size_t most_parts = 4;
    const std::size_t wide = width_of(group);
    if (used_ + wide > width_ && columns_.back().size() > names_.size() && width_of(names_) + wide <= width_) {
      if (columns_.size() == most_parts) return false;
      begin_part();
    }
    if (used_ + wide > width_) return false;
    columns_.back().insert(columns_.back().end(), group.begin(), group.end()), used_ += wide;
    return true;
  }

  std::size_t width_, used_ = 0, left_out_ = 0;
  PrintedTable printed_;
  std::vector<std::size_t> widths_, names_;
  std::vector<std::vector<std::size_t>> columns_;
};

}  // namespace

PrintedTable printed_table(const Table& table) {
  require_complete_rows(table);
  PrintedTable printed;
  for (const Column& column : table.columns) {
    printed.header.push_back(column.label);
    printed.right.push_back(column.format != CellFormat::text && column.format != CellFormat::exact);
  }
  for (const TableRow& row : table.rows) {
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

std::string table_to_narrow_text(const Table& table, std::size_t width, std::size_t most_rows) {
  Table shown = table;
  shown.caption.clear();
  if (shown.rows.size() > most_rows) shown.rows.resize(most_rows);
  if (shown.columns.empty()) return table_to_text(shown);
  const NarrowParts parts(shown, width);
  std::string text;
  for (const std::vector<std::size_t>& part : parts.columns())
    text += (text.empty() ? "" : "\n") + table_to_text(with_columns(shown, part));
  const std::size_t rows = table.rows.size() - shown.rows.size();
  const auto more = [](std::size_t n, const char* what) {
    return n == 0 ? "" : fmt::format("{} more {}{}", n, what, n == 1 ? "" : "s");
  };
  if (parts.left_out() + rows > 0)
    text += fmt::format("{}{}{}: see the report\n", more(parts.left_out(), "column"),
                        parts.left_out() > 0 && rows > 0 ? " and " : "", more(rows, "row"));
  return text;
}

std::string table_to_markdown(const Table& table) {
  PrintedTable printed = printed_table(table);
  escape_cells(printed, escape_markdown);
  for (std::size_t r = 0; r < printed.rows.size(); ++r)
    for (std::size_t c = 0; c < printed.header.size(); ++c)
      if (table.is_best({r, c})) printed.rows[r][c] = "**" + printed.rows[r][c] + "**";
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
  const std::vector<std::string> names = csv_names(table);
  std::string text;
  for (std::size_t c = 0; c < names.size(); ++c) text += (c ? "," : "") + csv_text(names[c]);
  text += "\n";
  std::vector<bool> exact;
  for (std::size_t c = 0; c < table.columns.size(); ++c) exact.push_back(holds_exact_numbers(table, c));
  for (const TableRow& row : table.rows) {
    for (std::size_t c = 0; c < row.size(); ++c)
      text += (c ? "," : "") + (exact[c] ? csv_decimal(row[c]) : csv_cell(row[c], table.columns[c]));
    text += "\n";
  }
  return text;
}

namespace {

// Columns with a cell longer than this hold sentences.
constexpr std::size_t wide_cell = 60;

// "4.02 ± 0.02": a number with what belongs to it, which stays in one line.
bool is_measured(const std::string& cell) {
  return text_width(cell) <= 24 && !cell.empty() &&
         (std::isdigit(static_cast<unsigned char>(cell[0])) || cell.starts_with("-") || cell.starts_with("−")) &&
         cell.find(" ± ") != std::string::npos;
}

std::vector<bool> wide_columns(const PrintedTable& printed) {
  std::vector<bool> wide(printed.header.size(), false);
  for (const auto& row : printed.rows)
    for (std::size_t c = 0; c < row.size(); ++c) wide[c] = wide[c] || text_width(row[c]) > wide_cell;
  return wide;
}

}  // namespace

std::string table_to_html(const Table& table, std::size_t set) {
  const PrintedTable printed = printed_table(table);
  const std::vector<bool> wide = wide_columns(printed);
  const auto class_of = [&](std::size_t c, const std::string& cell) {
    if (printed.right[c]) return " class=\"number\"";
    if (is_measured(cell)) return " class=\"whole\"";
    return wide[c] ? " class=\"long\"" : "";
  };
  const auto line = [&](const std::vector<std::string>& cells, std::optional<std::size_t> row) {
    std::string html = "<tr>";
    for (std::size_t c = 0; c < cells.size(); ++c) {
      const bool heads = !row && !cells[c].empty();  // a head without a name heads nothing
      const std::string text = escape_html(cells[c]);
      html +=
          fmt::format("<{0}{3}{1}>{2}</{0}>", heads ? "th" : "td", class_of(c, row ? cells[c] : ""),
                      row && table.is_best({*row, c}) ? "<b>" + text + "</b>" : text, heads ? " scope=\"col\"" : "");
    }
    return html + "</tr>\n";
  };
  std::string html =
      fmt::format("<table class=\"data\" data-set=\"{}\" data-table=\"{}\">\n<caption>{}</caption>\n<thead>\n", set,
                  escape_html(table.id), escape_html(table.caption));
  html += line(printed.header, {}) + "</thead>\n<tbody>\n";
  const std::size_t shown = std::min(most_html_rows, printed.rows.size());
  for (std::size_t row = 0; row < shown; ++row) html += line(printed.rows[row], row);
  html += "</tbody>\n</table>\n";
  if (shown < printed.rows.size())
    html += fmt::format("<p>The first {} of {} rows; the files hold all of them.</p>\n", shown, printed.rows.size());
  return html;
}

}  // namespace daelab
