// The text of CSV files.
#pragma once

#include <string>
#include <vector>

namespace daelab {

/// The named columns of the text of a CSV file with a header line, in the order of the names. Lines that start with #
/// are comments; a cell that is no number is NaN. Throws InputError naming the file `path`, and the columns it has.
std::vector<std::vector<double>> csv_columns(const std::string& text, const std::vector<std::string>& names,
                                             const std::string& path);

/// The cells of one line.
std::vector<std::string> split_csv_line(const std::string& line);

}  // namespace daelab
