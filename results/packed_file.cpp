#include "results/packed_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/json.hpp"
#include "core/base/module.hpp"
#include "core/base/number_text.hpp"
#include "core/base/own_process.hpp"
#include "modules/hdf5_module.hpp"
#include "results/module_mutex.hpp"

namespace daelab {
namespace {

const PackFunctions& functions() {
  static const PackFunctions* const loaded = reinterpret_cast<decltype(&daelab_pack_functions)>(
      module_symbol("hdf5", "daelab_pack_functions", "libhdf5-dev"))();
  return *loaded;
}

void check(const char* message) {
  if (message != nullptr) throw InputError(message);
}

// A trajectory as numbers, column by column.
struct NumberTable {
  std::string header;
  std::vector<double> values;
  std::size_t columns = 0, rows = 0;
};

std::string text_of(const PackedTrajectory& t) {
  if (t.header == nullptr) return {t.text, t.text_size};
  std::string text = std::string(t.header) + "\n";
  for (std::size_t row = 0; row < t.rows; ++row)
    for (std::size_t column = 0; column < t.columns; ++column)
      fmt::format_to(std::back_inserter(text), "{:.17g}{}", t.values[column * t.rows + row],
                     column + 1 < t.columns ? ',' : '\n');
  return text;
}

PackedTrajectory packed(const NumberTable& table) {
  return {nullptr, nullptr, table.header.c_str(), table.values.data(), table.columns, table.rows, nullptr, 0};
}

// The numbers of a row; false where they are not so many.
bool read_row(std::string_view& rest, std::size_t columns, std::vector<double>& row) {
  row.clear();
  while (true) {
    const std::optional<double> number = take_number(rest);
    if (!number || rest.empty() || row.size() == columns) return false;
    row.push_back(*number);
    const char end = rest.front();
    rest.remove_prefix(1);
    if (end == '\n') return row.size() == columns;
    if (end != ',') return false;
  }
}

// None where the text does not follow from the numbers.
std::optional<NumberTable> table_of(const std::string& csv) {
  const std::size_t first_line = csv.find('\n');
  if (first_line == std::string::npos || csv.back() != '\n' || csv.find('\0') != std::string::npos) return {};
  NumberTable table;
  table.header = csv.substr(0, first_line);
  table.columns = 1 + static_cast<std::size_t>(std::count(table.header.begin(), table.header.end(), ','));
  std::vector<double> by_row, row;
  for (std::string_view rest = std::string_view(csv).substr(first_line + 1); !rest.empty(); ++table.rows) {
    if (!read_row(rest, table.columns, row)) return {};
    by_row.insert(by_row.end(), row.begin(), row.end());
  }
  if (table.rows == 0) return {};
  table.values.resize(by_row.size());
  for (std::size_t i = 0; i < by_row.size(); ++i)
    table.values[i % table.columns * table.rows + i / table.columns] = by_row[i];
  return text_of(packed(table)) == csv ? std::optional(std::move(table)) : std::nullopt;
}

}  // namespace

std::mutex& module_mutex() {
  static std::mutex one;
  return one;
}

std::string packing_refusal() {
  try {
    functions();
    return "";
  } catch (const InputError& e) {
    return e.what();
  }
}

PackedFileWriter::PackedFileWriter(const std::string& path) {
  const std::lock_guard guard(module_mutex());
  check(functions().begin(path.c_str(), &file_));
}

PackedFileWriter::~PackedFileWriter() {
  const std::lock_guard guard(module_mutex());
  if (file_ != nullptr) functions().end(file_);
}

void PackedFileWriter::add(const std::string& key, const std::string& checksum, const std::string& csv) {
  const std::optional<NumberTable> table = table_of(csv);
  PackedTrajectory trajectory{nullptr, nullptr, nullptr, nullptr, 0, 0, csv.data(), csv.size()};
  if (table) trajectory = packed(*table);
  trajectory.key = key.c_str(), trajectory.checksum = checksum.c_str();
  const std::lock_guard guard(module_mutex());
  check(functions().add(file_, &trajectory));
}

void PackedFileWriter::finish() {
  const std::lock_guard guard(module_mutex());
  check(functions().end(std::exchange(file_, nullptr)));
}

std::string read_packed(const std::string& path, const std::string& key) {
  const std::lock_guard guard(module_mutex());
  const PackRead read = functions().read;
  // HDF5 crashes on some files that are damaged. Trajectories are as long as they are.
  constexpr ProcessLimits all{std::size_t(1) << 40, std::size_t(1) << 41, 3600};
  const auto text_of_file = [&] {
    std::string text;
    check(read(
        path.c_str(), key.c_str(),
        [](void* context, const PackedTrajectory* trajectory) {
          *static_cast<std::string*>(context) = text_of(*trajectory);
        },
        &text));
    return text;
  };
  return in_own_process(text_of_file, all);
}

}  // namespace daelab
