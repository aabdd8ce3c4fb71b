// Matrices with values on fixed patterns.
#pragma once

#include <memory>
#include <vector>

#include "core/base/plain_arithmetic.hpp"
#include "core/base/scalar.hpp"

namespace daelab {

/// Places of entries that a matrix may have: column by column, rows ascending. Never changes once it is shared.
struct SparsePattern {
  Index rows = 0, columns = 0;
  std::vector<int> start{0};  // (columns + 1) into `row`
  std::vector<int> row;
  Index entries() const { return static_cast<Index>(row.size()); }
  bool operator==(const SparsePattern&) const = default;

  /// Every entry, in the order of a dense matrix.
  static std::shared_ptr<const SparsePattern> full(Index rows, Index columns);
  static std::shared_ptr<const SparsePattern> diagonal(Index size);
};

template <class T>
struct SparseMatrix {
  std::shared_ptr<const SparsePattern> pattern = std::make_shared<SparsePattern>();
  Vector<T> values;  // (entries)

  Index rows() const { return pattern->rows; }
  Index columns() const { return pattern->columns; }
  /// Values are zero where the pattern is another one than before.
  void take(const std::shared_ptr<const SparsePattern>& other) {
    if (pattern == other) return;
    pattern = other;
    values.setZero(other->entries());
  }
  /// f(row, column, value) for every entry, column by column.
  void visit(auto&& f) const {
    const SparsePattern& p = *pattern;
    for (Index j = 0; j < p.columns; ++j)
      for (int k = p.start[static_cast<std::size_t>(j)]; k < p.start[static_cast<std::size_t>(j + 1)]; ++k)
        f(static_cast<Index>(p.row[static_cast<std::size_t>(k)]), j, values[k]);
  }
  /// y += factor A x
  void add_product(const auto& x, auto&& y, const auto& factor) const {
    const SparsePattern& p = *pattern;
    for (Index j = 0; j < p.columns; ++j) {
      int k = p.start[static_cast<std::size_t>(j)];
      const int end = p.start[static_cast<std::size_t>(j) + 1];
      if (k == end) continue;
      const auto scaled = plain_product(factor, x[j]);
      for (; k < end; ++k) y[p.row[static_cast<std::size_t>(k)]] += values[k] * scaled;
    }
  }
  /// y += factor A^T x
  void add_transposed_product(const auto& x, auto&& y, const auto& factor) const {
    const SparsePattern& p = *pattern;
    for (Index j = 0; j < p.columns; ++j) {
      auto sum = y[j];
      for (int k = p.start[static_cast<std::size_t>(j)]; k < p.start[static_cast<std::size_t>(j) + 1]; ++k)
        sum += values[k] * plain_product(factor, x[p.row[static_cast<std::size_t>(k)]]);
      y[j] = sum;
    }
  }
  /// Into a matrix of its size.
  void scatter(Matrix<T>& A) const {
    A.setZero();
    visit([&](Index i, Index j, const T& value) { A(i, j) = value; });
  }
};

/// Blocks on fixed patterns put together into one matrix: where each of their entries goes. Blocks may overlap.
class SparseAssembly {
 public:
  SparseAssembly(Index rows, Index columns) : rows_(rows), columns_(columns) {}

  /// Its upper left corner at (row, column); returns the number of the block.
  std::size_t add(const std::shared_ptr<const SparsePattern>& block, Index row, Index column, bool transposed = false);
  /// After all blocks. For each one, where its entries are among those of the pattern, or, `densely`, of a dense
  /// matrix column by column.
  void complete(bool densely);
  const std::shared_ptr<const SparsePattern>& pattern() const { return pattern_; }
  const std::vector<int>& places(std::size_t block) const { return places_[block]; }

 private:
  struct Block {
    std::shared_ptr<const SparsePattern> pattern;
    Index row, column;
    bool transposed;
  };
  void for_each_entry(const Block& block, auto&& f) const;
  void unite();
  Index rows_, columns_;
  std::vector<Block> blocks_;
  std::shared_ptr<const SparsePattern> pattern_;
  std::vector<std::vector<int>> places_;
};

/// Sums of blocks times factors.
template <class S>
class BlockSum {
 public:
  BlockSum(Index rows, Index columns) : assembly_(rows, columns) {}

  /// Blocks are added first; returns the number of the block. A pattern is that of every matrix accumulated with it.
  std::size_t add(const std::shared_ptr<const SparsePattern>& block, Index row, Index column, bool transposed = false) {
    return assembly_.add(block, row, column, transposed);
  }
  /// Adds factor A.
  template <class T>
  void accumulate(std::size_t block, const SparseMatrix<T>& A, const auto& factor) {
    const std::vector<int>& places = assembly_.places(block);
    for (std::size_t k = 0; k < places.size(); ++k) entries_[places[k]] += factor * A.values[static_cast<Index>(k)];
  }
  template <class T>
  void accumulate(std::size_t block, const SparseMatrix<T>& A) {
    const std::vector<int>& places = assembly_.places(block);
    for (std::size_t k = 0; k < places.size(); ++k) entries_[places[k]] += S(A.values[static_cast<Index>(k)]);
  }
  /// Row i of A times factor(i).
  template <class T>
  void accumulate_rows(std::size_t block, const SparseMatrix<T>& A, auto&& factor) {
    const std::vector<int>& places = assembly_.places(block);
    for (std::size_t k = 0; k < places.size(); ++k)
      entries_[places[k]] += factor(static_cast<Index>(A.pattern->row[k])) * A.values[static_cast<Index>(k)];
  }
  /// The matrix with entries f(i, j, A_ij).
  template <class T>
  void accumulate_entries(std::size_t block, const SparseMatrix<T>& A, auto&& f) {
    const std::vector<int>& places = assembly_.places(block);
    std::size_t k = 0;
    A.visit([&](Index i, Index j, const T& value) { entries_[places[k++]] += f(i, j, value); });
  }

 protected:
  SparseAssembly assembly_;
  S* entries_ = nullptr;
};

/// A sum of blocks as a matrix of its own.
template <class S>
class SparseSum : public BlockSum<S> {
 public:
  using BlockSum<S>::BlockSum;
  /// After all blocks.
  void complete() {
    this->assembly_.complete(false);
    matrix_.take(this->assembly_.pattern());
    this->entries_ = matrix_.values.data();
  }
  void clear() { matrix_.values.setZero(); }
  const SparseMatrix<S>& matrix() const { return matrix_; }

 private:
  SparseMatrix<S> matrix_;
};

/// The upper left corner of a matrix.
template <class T>
class SparseCorner {
 public:
  void prepare(const std::shared_ptr<const SparsePattern>& A, Index rows, Index columns);
  void copy(const SparseMatrix<T>& A, SparseMatrix<T>& corner) const;

 private:
  std::vector<int> kept_;
  std::shared_ptr<const SparsePattern> pattern_;
};

/// A B^T on a fixed pattern.
template <class T>
class SparseProduct {
 public:
  void prepare(const std::shared_ptr<const SparsePattern>& A, const std::shared_ptr<const SparsePattern>& B);
  void multiply(const SparseMatrix<T>& A, const SparseMatrix<T>& B, SparseMatrix<T>& C) const;

 private:
  struct Term {
    int a, b, c;
  };
  std::vector<Term> terms_;
  std::shared_ptr<const SparsePattern> pattern_;
};

}  // namespace daelab
