#include "core/mechanism/form_parts.hpp"

#include <algorithm>
#include <utility>

namespace daelab {
namespace {

void sort_by_columns(FormPart& part) {
  std::ranges::stable_sort(part.entries, {}, [](const auto& entry) { return std::pair(entry.column, entry.row); });
}

}  // namespace

FormPart column(const Expressions& values, int first_row, int rows) {
  FormPart part{rows < 0 ? static_cast<int>(values.size()) : rows, 1, {}};
  for (std::size_t i = 0; i < values.size(); ++i)
    part.entries.push_back({static_cast<std::uint32_t>(first_row + static_cast<int>(i)), 0, values[i]});
  return part;
}

FormPart matrix(const SparseExpressions& values, int rows, int columns, int first_row, int first_column) {
  FormPart part{rows, columns, values.entries};
  for (auto& entry : part.entries)
    entry.row += static_cast<std::uint32_t>(first_row), entry.column += static_cast<std::uint32_t>(first_column);
  return part;
}

FormPart square(const std::vector<ExpressionMatrix::Entry>& entries, int size) {
  FormPart part{size, size, {}};
  for (const auto& entry : entries)
    part.entries.push_back(
        {static_cast<std::uint32_t>(entry.row), static_cast<std::uint32_t>(entry.column), entry.value});
  sort_by_columns(part);
  return part;
}

FormPart stacked(FormPart a, const FormPart& b) {
  a.entries.insert(a.entries.end(), b.entries.begin(), b.entries.end());
  sort_by_columns(a);
  return a;
}

std::vector<Output> outputs_of(const FormParts& parts, PartLayout layout) {
  std::vector<Output> outputs;
  for (std::size_t block = 0; block < parts.size(); ++block)
    for (std::size_t k = 0; k < parts[block].entries.size(); ++k) {
      const auto& entry = parts[block].entries[k];
      const std::size_t place =
          layout == PartLayout::sparse ? k : entry.row + entry.column * static_cast<std::size_t>(parts[block].rows);
      outputs.push_back({entry.value, static_cast<int>(block), static_cast<int>(place)});
    }
  return outputs;
}

std::shared_ptr<const SparsePattern> pattern_of(const FormPart& part) {
  auto pattern = std::make_shared<SparsePattern>();
  pattern->rows = part.rows, pattern->columns = part.columns;
  pattern->start.assign(static_cast<std::size_t>(part.columns) + 1, 0);
  for (const auto& entry : part.entries) {
    pattern->row.push_back(static_cast<int>(entry.row));
    ++pattern->start[entry.column + 1];
  }
  for (std::size_t j = 1; j < pattern->start.size(); ++j) pattern->start[j] += pattern->start[j - 1];
  return pattern;
}

}  // namespace daelab
