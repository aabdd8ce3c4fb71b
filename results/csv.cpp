#include "results/csv.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <sstream>

#include "core/base/json.hpp"
#include "results/trajectory_store.hpp"

namespace daelab {
std::vector<std::string> split_csv_line(const std::string& line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      cells.emplace_back();
    else if (c != '\r')
      cells.back() += c;
  }
  return cells;
}

namespace {

std::size_t column_index(const std::vector<std::string>& header, const std::string& name, const std::string& path) {
  const auto found = std::find(header.begin(), header.end(), name);
  if (found == header.end())
    throw InputError(fmt::format("{}: no column '{}'; columns: {}", path, name, fmt::join(header, ", ")));
  return static_cast<std::size_t>(found - header.begin());
}

double to_double(const std::vector<std::string>& cells, std::size_t column) {
  if (column >= cells.size()) return std::numeric_limits<double>::quiet_NaN();
  char* end = nullptr;
  const double value = std::strtod(cells[column].c_str(), &end);
  return end == cells[column].c_str() ? std::numeric_limits<double>::quiet_NaN() : value;
}

}  // namespace

std::vector<std::vector<double>> read_csv_columns(const std::string& path, const std::vector<std::string>& names) {
  const std::optional<std::string> text = read_trajectory(path);
  if (!text) throw InputError(path + ": cannot be read");
  return csv_columns(*text, names, path);
}

std::vector<std::vector<double>> csv_columns(const std::string& text, const std::vector<std::string>& names,
                                             const std::string& path) {
  std::istringstream file(text);
  std::vector<std::vector<double>> columns(names.size());
  std::vector<std::size_t> places;
  bool has_header = false;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    const std::vector<std::string> cells = split_csv_line(line);
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
