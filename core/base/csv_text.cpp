#include "core/base/csv_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <string_view>

#include "core/base/json.hpp"
#include "core/base/number_text.hpp"

namespace daelab {
namespace {

// The cells of a line take the place of those before them: a long table allocates once.
void split(std::string_view line, std::vector<std::string>& cells) {
  std::size_t count = 0;
  const auto begin_cell = [&] {
    if (count == cells.size()) cells.emplace_back();
    cells[count++].clear();
  };
  begin_cell();
  bool quoted = false;
  for (const char c : line) {
    if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      begin_cell();
    else if (c != '\r')
      cells[count - 1] += c;
  }
  cells.resize(count);
}

std::size_t column_index(const std::vector<std::string>& header, const std::string& name, const std::string& path) {
  const auto found = std::find(header.begin(), header.end(), name);
  if (found == header.end())
    throw InputError(fmt::format("{}: no column '{}'; columns: {}", path, name, fmt::join(header, ", ")));
  return static_cast<std::size_t>(found - header.begin());
}

double to_double(const std::vector<std::string>& cells, std::size_t column) {
  if (column >= cells.size()) return std::numeric_limits<double>::quiet_NaN();
  std::string_view cell = cells[column];
  return take_number(cell).value_or(std::numeric_limits<double>::quiet_NaN());
}

}  // namespace

std::vector<std::string> split_csv_line(const std::string& line) {
  std::vector<std::string> cells;
  split(line, cells);
  return cells;
}

std::vector<std::vector<double>> csv_columns(const std::string& text, const std::vector<std::string>& names,
                                             const std::string& path) {
  std::vector<std::vector<double>> columns(names.size());
  std::vector<std::size_t> places;
  std::vector<std::string> cells;
  bool has_header = false;
  for (std::size_t begin = 0, end = 0; begin < text.size(); begin = end + 1) {
    end = std::min(text.find('\n', begin), text.size());
    const std::string_view line(text.data() + begin, end - begin);
    if (line.empty() || line[0] == '#') continue;
    split(line, cells);
    if (has_header)
      for (std::size_t c = 0; c < places.size(); ++c) columns[c].push_back(to_double(cells, places[c]));
    else
      for (const std::string& name : names) places.push_back(column_index(cells, name, path));
    has_header = true;
  }
  if (!has_header) throw InputError(path + ": no header line");
  return columns;
}

}  // namespace daelab
