// One table, five ways to write it. Numbers are rounded for reading everywhere but in CSV.
#pragma once

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

/// A pipe table under its caption.
std::string table_to_markdown(const Table& table);

/// RFC 4180 quoting, full precision, empty cells for missing values.
std::string table_to_csv(const Table& table);

/// A table environment, label tab:<id>; needs \usepackage{booktabs,siunitx}. A table too long for a
/// page becomes several.
std::string table_to_latex(const Table& table);

/// A <table> with its caption; of more than 1000 rows the first, and a sentence on how many there are: a page of 10^5
/// rows takes a browser minutes to open.
std::string table_to_html(const Table& table);

}  // namespace daelab
