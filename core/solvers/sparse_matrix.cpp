#include "core/solvers/sparse_matrix.hpp"

#include <algorithm>
#include <numeric>

namespace daelab {
namespace {

// for_each_entry(f), called twice, calls f(row, column) for each entry, for some of them more than once.
std::shared_ptr<const SparsePattern> pattern_of(Index rows, Index columns, auto&& for_each_entry) {
  std::vector<int> begin(static_cast<std::size_t>(columns) + 1), row;
  for_each_entry([&](int, int column) { ++begin[static_cast<std::size_t>(column) + 1]; });
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  row.resize(static_cast<std::size_t>(begin.back()));
  std::vector<int> end(begin.begin(), begin.end() - 1);
  for_each_entry(
      [&](int i, int column) { row[static_cast<std::size_t>(end[static_cast<std::size_t>(column)]++)] = i; });
  auto pattern = std::make_shared<SparsePattern>();
  pattern->rows = rows, pattern->columns = columns;
  for (std::size_t j = 0; j < end.size(); ++j) {
    const auto first = row.begin() + begin[j], last = row.begin() + end[j];
    std::sort(first, last);
    pattern->row.insert(pattern->row.end(), first, std::unique(first, last));
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
  pattern_ = pattern_of(rows_, columns_, [this](auto&& f) {
    for (const Block& block : blocks_) for_each_entry(block, f);
  });
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
  const auto for_each_kept = [&](auto&& f) {
    for (std::size_t j = 0; j < std::min(static_cast<std::size_t>(columns), A->start.size() - 1); ++j)
      for (int k = A->start[j]; k < A->start[j + 1]; ++k)
        if (const int i = A->row[static_cast<std::size_t>(k)]; i < rows) f(i, static_cast<int>(j), k);
  };
  pattern_ = pattern_of(rows, columns, [&](auto&& f) { for_each_kept([&](int i, int j, int) { f(i, j); }); });
  kept_.clear();
  for_each_kept([this](int, int, int k) { kept_.push_back(k); });
}

template <class T>
void SparseCorner<T>::copy(const SparseMatrix<T>& A, SparseMatrix<T>& corner) const {
  corner.take(pattern_);
  for (std::size_t k = 0; k < kept_.size(); ++k) corner.values[static_cast<Index>(k)] = A.values[kept_[k]];
}

template <class T>
void SparseProduct<T>::prepare(const std::shared_ptr<const SparsePattern>& A,
                               const std::shared_ptr<const SparsePattern>& B) {
  const auto for_each_term = [&](auto&& f) {
    for (std::size_t k = 0; k < static_cast<std::size_t>(A->columns); ++k)
      for (int a = A->start[k]; a < A->start[k + 1]; ++a)
        for (int b = B->start[k]; b < B->start[k + 1]; ++b)
          f(a, b, A->row[static_cast<std::size_t>(a)], B->row[static_cast<std::size_t>(b)]);
  };
  pattern_ = pattern_of(A->rows, B->rows, [&](auto&& f) { for_each_term([&](int, int, int i, int j) { f(i, j); }); });
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
