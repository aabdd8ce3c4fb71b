#include "experiments/measures/foreign_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <sstream>

#include "core/base/input_error.hpp"
#include "core/base/limits.hpp"
#include "core/base/paths.hpp"
#include "core/base/read_file.hpp"
#include "results/array_file.hpp"
#include "results/csv.hpp"

namespace daelab {
namespace {

// The cells of a line, whichever of the three separators it has.
std::vector<std::string> cells_of(std::string line) {
  if (line.find(',') == std::string::npos) {
    std::ranges::replace(line, ';', ',');
    if (line.find(',') == std::string::npos) {
      std::istringstream words(line);
      return {std::istream_iterator<std::string>(words), {}};
    }
  }
  std::vector<std::string> cells = split_csv_line(line);
  for (std::string& cell : cells) {
    const auto first = cell.find_first_not_of(" \t"), last = cell.find_last_not_of(" \t");
    cell = first == std::string::npos ? "" : cell.substr(first, last - first + 1);
  }
  return cells;
}

ForeignTable read_text(const std::string& path, const std::function<bool(const std::vector<std::string>&)>& is_header) {
  const std::string file = path_to_read(absolute_path(path));
  if (!std::filesystem::exists(file)) throw InputError(path + ": cannot be read");
  std::istringstream in(read_whole(file, static_cast<std::size_t>(limits().file_bytes)));
  ForeignTable table;
  long number = 0;
  for (std::string line; std::getline(in, line);) {
    const std::string place = fmt::format("{}:{}", path, ++number);
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.find_first_not_of(" \t#") == std::string::npos) continue;
    const bool comment = line.front() == '#';
    if (!table.header.empty()) {
      if (!comment) table.rows.push_back({place, cells_of(line)});
      continue;
    }
    std::vector<std::string> cells = cells_of(line.substr(line.find_first_not_of("# \t")));
    if (!comment || is_header(cells)) table.header = std::move(cells), table.header_place = place;
  }
  if (table.header.empty()) throw InputError(path + ": no header line with names of columns");
  return table;
}

// As many as the first column has, or the first array of two dimensions.
std::size_t rows_of(const std::vector<StoredArray>& arrays) {
  for (const std::size_t rank : {1U, 2U})
    for (const StoredArray& array : arrays)
      if (array.rank == rank) return array.rows;
  return 1;
}

// Appends the columns of an array; false where it has other than so many rows.
bool append(const StoredArray& array, ForeignTable& table) {
  const std::size_t rows = table.rows.size();
  const bool across = array.rank == 2 && array.rows != rows && array.columns == rows;
  if (array.rank > 0 && !across && array.rows != rows) return false;
  const std::size_t columns = across ? array.rows : array.columns;
  for (std::size_t column = 0; column < columns; ++column) {
    table.header.push_back(array.rank < 2 && !array.name.empty() ? array.name
                                                                 : fmt::format("{}{}", array.name, column + 1));
    for (std::size_t row = 0; row < rows; ++row) {
      const std::size_t place = array.rank == 0 ? 0 : across ? column * rows + row : row * columns + column;
      table.rows[row].cells.push_back(fmt::format("{}", array.values[place]));
    }
  }
  return true;
}

}  // namespace

ForeignTable read_foreign_table(const std::string& path,
                                const std::function<bool(const std::vector<std::string>&)>& is_header) {
  if (!is_array_file(path)) return read_text(path, is_header);
  ArrayFile arrays = read_array_file(path);
  if (arrays.all.empty()) throw InputError(path + ": no array of numbers");
  ForeignTable table;
  table.header_place = path, table.left_out = std::move(arrays.left_out);
  table.rows.resize(rows_of(arrays.all));
  for (std::size_t row = 0; row < table.rows.size(); ++row)
    table.rows[row].place = fmt::format("{}: row {}", path, row + 1);
  for (const StoredArray& array : arrays.all)
    if (!append(array, table)) table.left_out.push_back(array.name);
  return table;
}

}  // namespace daelab
