#include "experiments/measures/foreign_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <sstream>

#include "core/base/input_error.hpp"
#include "core/base/limits.hpp"
#include "core/base/paths.hpp"
#include "core/base/read_file.hpp"
#include "core/base/utf8.hpp"
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

// Lines of a text, each with its place. Bytes that are not UTF-8 are refused, but in comments.
class TextLines {
 public:
  explicit TextLines(const std::string& path) : path_(path) {
    const std::string file = path_to_read(absolute_path(path));
    if (!std::filesystem::exists(file) || std::filesystem::is_directory(file))
      throw InputError(path + ": cannot be read");
    in_.str(read_whole(file, static_cast<std::size_t>(limits().file_bytes)));
  }

  bool next(std::string& line) {
    line.clear();
    ++number_;
    int c = in_.get();
    if (c == std::istringstream::traits_type::eof()) return false;
    for (; c != '\n' && c != std::istringstream::traits_type::eof(); c = in_.get()) {
      if (line.size() == longest_line) fail(fmt::format("the line has more than {} characters", longest_line));
      line += static_cast<char>(c);
    }
    if (line.ends_with('\r')) line.pop_back();
    if (number_ == 1 && (line.starts_with("\xFF\xFE") || line.starts_with("\xFE\xFF")))
      fail("this is text in UTF-16: save it in UTF-8");
    if (number_ == 1 && line.starts_with("\xEF\xBB\xBF")) line.erase(0, 3);  // the mark of UTF-8, which Excel writes
    if (line.find('\0') != std::string::npos)
      fail("a character of code 0: this is no text, or one in UTF-16; save it in UTF-8");
    const bool plain = std::ranges::all_of(line, [](char letter) { return static_cast<signed char>(letter) >= 0; });
    if (!plain && !line.starts_with('#') && as_utf8(line) != line)
      fail("this is no text in UTF-8, perhaps in Latin-1: save it in UTF-8");
    return true;
  }
  std::string place() const { return fmt::format("{}:{}", path_, number_); }

 private:
  static constexpr std::size_t longest_line = 1'000'000;
  [[noreturn]] void fail(const std::string& what) const { throw InputError(fmt::format("{}: {}", place(), what)); }

  std::string path_;
  std::istringstream in_;
  long number_ = 0;
};

void require_room(std::size_t rows, std::size_t columns, const std::string& path) {
  if (rows > most_table_numbers() / std::max<std::size_t>(1, columns))
    throw InputError(fmt::format("{}: {}", path, too_many_numbers()));
}

ForeignTable read_text(const std::string& path, const std::function<bool(const std::vector<std::string>&)>& is_header) {
  TextLines lines(path);
  ForeignTable table;
  for (std::string line; lines.next(line);) {
    if (line.find_first_not_of(" \t#") == std::string::npos) continue;
    const bool comment = line.front() == '#';
    if (!table.header.empty()) {
      if (comment) continue;
      table.rows.push_back({lines.place(), cells_of(line)});
      require_room(table.rows.size(), table.header.size(), path);
      if (table.rows.back().cells.size() > table.header.size()) break;  // which whoever reads the rows refuses
      continue;
    }
    std::vector<std::string> cells = cells_of(line.substr(line.find_first_not_of("# \t")));
    if (!comment || is_header(cells)) table.header = std::move(cells), table.header_place = lines.place();
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
bool append(const StoredArray& array, ForeignTable& table, const std::string& path) {
  const std::size_t rows = table.rows.size();
  const bool across = array.rank == 2 && array.rows != rows && array.columns == rows;
  if (array.rank > 0 && !across && array.rows != rows) return false;
  const std::size_t columns = across ? array.rows : array.columns;
  require_room(rows, table.header.size() + columns, path);  // with scalars in each row it has more than the file
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

// The names of the first arrays that are no columns.
std::string left_out_text(const std::vector<std::string>& names) {
  constexpr std::size_t most = 5;
  if (names.empty() || (names.size() == 1 && names.front().empty())) return "";
  const std::size_t shown = std::min(most, names.size());
  return fmt::format("; left out: {}{}",
                     fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
                     shown < names.size() ? ", ..." : "");
}

}  // namespace

ForeignTable read_foreign_table(const std::string& path,
                                const std::function<bool(const std::vector<std::string>&)>& is_header) {
  if (!is_array_file(path)) return read_text(path, is_header);
  ArrayFile arrays = read_array_file(path);
  if (arrays.all.empty())
    throw InputError(fmt::format("{}: no array of numbers{}", path, left_out_text(arrays.left_out)));
  ForeignTable table;
  table.header_place = path, table.left_out = std::move(arrays.left_out);
  table.rows.resize(rows_of(arrays.all));
  for (std::size_t row = 0; row < table.rows.size(); ++row)
    table.rows[row].place = fmt::format("{}: row {}", path, row + 1);
  for (const StoredArray& array : arrays.all)
    if (!append(array, table, path)) table.left_out.push_back(array.name);
  return table;
}

}  // namespace daelab
