#include "core/solvers/sparse_matrix.hpp"

#include <algorithm>

namespace daelab {
namespace {

// Rows of each column, ascending and once each.
std::shared_ptr<const SparsePattern> pattern_of(Index rows, std::vector<std::vector<int>>& columns) {
  auto pattern = std::make_shared<SparsePattern>();
  pattern->rows = rows, pattern->columns = static_cast<Index>(columns.size());
  for (std::vector<int>& column : columns) {
    std::ranges::sort(column);
    column.erase(std::unique(column.begin(), column.end()), column.end());
    pattern->row.insert(pattern->row.end(), column.begin(), column.end());
    pattern->start.push_back(static_cast<int>(pattern->row.size()));
  }
  return pattern;
}

int place_in(const SparsePattern& pattern, int row, int column) {
  const auto begin = pattern.row.begin() + pattern.start[static_cast<std::size_t>(column)];
  const auto end = pattern.row.begin() + pattern.start[static_cast<std::size_t>(column) + 1];
  return static_cast<int>(std::lower_bound(begin, end, row) - pattern.row.begin());
}

}  // namespace

std::shared_ptr<const SparsePattern> SparsePattern::full(Index rows, Index columns) {
  auto pattern = std::make_shared<SparsePattern>();
  pattern->rows = rows, pattern->columns = columns;
  for (Index j = 0; j < columns; ++j) {
    for (Index i = 0; i < rows; ++i) pattern->row.push_back(static_cast<int>(i));
    pattern->start.push_back(static_cast<int>(pattern->row.size()));
  }
  return pattern;
}

std::shared_ptr<const SparsePattern> SparsePattern::diagonal(Index size) {
  auto pattern = std::make_shared<SparsePattern>();
  pattern->rows = pattern->columns = size;
  for (Index j = 0; j < size; ++j) {
    pattern->row.push_back(static_cast<int>(j));
    pattern->start.push_back(static_cast<int>(pattern->row.size()));
  }
  return pattern;
}

std::size_t SparseAssembly::add(const std::shared_ptr<const SparsePattern>& block, Index row, Index column,
                                bool transposed) {
  blocks_.push_back({block, row, column, transposed});
  return blocks_.size() - 1;
}

void SparseAssembly::for_each_entry(const Block& block, auto&& f) const {
  const SparsePattern& p = *block.pattern;
  for (Index j = 0; j < p.columns; ++j)
    for (int k = p.start[static_cast<std::size_t>(j)]; k < p.start[static_cast<std::size_t>(j) + 1]; ++k) {
      const int i = p.row[static_cast<std::size_t>(k)], column = static_cast<int>(j);
      const int row = block.transposed ? column : i;
      f(static_cast<int>(block.row) + row, static_cast<int>(block.column) + (block.transposed ? i : column));
    }
}

void SparseAssembly::unite() {
  std::vector<std::vector<int>> columns(static_cast<std::size_t>(columns_));
  for (const Block& block : blocks_)
    for_each_entry(block, [&](int row, int column) { columns[static_cast<std::size_t>(column)].push_back(row); });
  pattern_ = pattern_of(rows_, columns);
}

void SparseAssembly::complete(bool densely) {
  unite();
  places_.clear();
  for (const Block& block : blocks_) {
    std::vector<int>& places = places_.emplace_back();
    places.reserve(block.pattern->row.size());
    for_each_entry(block, [&](int row, int column) {
      places.push_back(densely ? row + static_cast<int>(rows_) * column : place_in(*pattern_, row, column));
    });
  }
}

template <class T>
void SparseCorner<T>::prepare(const std::shared_ptr<const SparsePattern>& A, Index rows, Index columns) {
  std::vector<std::vector<int>> kept(static_cast<std::size_t>(columns));
  kept_.clear();
  for (std::size_t j = 0; j < std::min(kept.size(), A->start.size() - 1); ++j)
    for (int k = A->start[j]; k < A->start[j + 1]; ++k)
      if (const int i = A->row[static_cast<std::size_t>(k)]; i < rows) kept[j].push_back(i), kept_.push_back(k);
  pattern_ = pattern_of(rows, kept);
}

template <class T>
void SparseCorner<T>::copy(const SparseMatrix<T>& A, SparseMatrix<T>& corner) const {
  corner.take(pattern_);
  for (std::size_t k = 0; k < kept_.size(); ++k) corner.values[static_cast<Index>(k)] = A.values[kept_[k]];
}

template <class T>
void SparseProduct<T>::prepare(const std::shared_ptr<const SparsePattern>& A,
                               const std::shared_ptr<const SparsePattern>& B) {
  std::vector<std::vector<int>> columns(static_cast<std::size_t>(B->rows));
  const auto for_each_term = [&](auto&& f) {
    for (std::size_t k = 0; k < static_cast<std::size_t>(A->columns); ++k)
      for (int a = A->start[k]; a < A->start[k + 1]; ++a)
        for (int b = B->start[k]; b < B->start[k + 1]; ++b)
          f(a, b, A->row[static_cast<std::size_t>(a)], B->row[static_cast<std::size_t>(b)]);
  };
  for_each_term([&](int, int, int i, int j) { columns[static_cast<std::size_t>(j)].push_back(i); });
  pattern_ = pattern_of(A->rows, columns);
  terms_.clear();
  for_each_term([&](int a, int b, int i, int j) { terms_.push_back({a, b, place_in(*pattern_, i, j)}); });
}

template <class T>
void SparseProduct<T>::multiply(const SparseMatrix<T>& A, const SparseMatrix<T>& B, SparseMatrix<T>& C) const {
  C.take(pattern_);
  C.values.setZero();
  for (const Term& term : terms_) C.values[term.c] += A.values[term.a] * B.values[term.b];
}

#define DAELAB_INSTANTIATE(T)     \
  template class SparseCorner<T>; \
  template class SparseProduct<T>;
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
