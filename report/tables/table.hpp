// One table, and the ways to write it; LaTeX is in latex_table.hpp. Numbers are rounded for reading everywhere but in
// CSV.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "results/artifacts.hpp"

namespace daelab {

/// The cells as printed, before any escaping.
struct PrintedTable {
  std::vector<std::string> header;
  std::vector<bool> right;  // numbers are right aligned, text is left aligned
  std::vector<std::vector<std::string>> rows;
};

/// Throws InputError when a row does not have one cell per column.
PrintedTable printed_table(const Table& table);

/// Aligned plain text for a terminal, under its caption.
std::string table_to_text(const Table& table);

/// The same in lines of at most `width` characters: columns that do not fit follow below, after the first column once
/// more. What there is no room for at all, and rows after the first ones, are left out, which a last line says.
std::string table_to_narrow_text(const Table& table, std::size_t width, std::size_t most_rows = 30);

/// A pipe table under its caption.
std::string table_to_markdown(const Table& table);

/// RFC 4180 quoting, full precision, empty cells for missing values, every column with a name of its own; step sizes
/// such as 1/160 as decimals.
std::string table_to_csv(const Table& table);

/// Rows of a table that are in a page: one of 10^5 takes a browser minutes to open. Scripts show the others.
inline constexpr std::size_t most_html_rows = 1000;

/// A <table> with its caption; of longer ones the first rows, and a sentence on how many there are. `set` is the number
/// of its result set on the page, by which scripts find the rest.
std::string table_to_html(const Table& table, std::size_t set = 0);

}  // namespace daelab
