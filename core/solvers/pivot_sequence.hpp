// The order in which a sparse matrix is eliminated, as KLU chooses it.
#pragma once

#include <complex>
#include <memory>
#include <vector>

#include "core/solvers/sparse_matrix.hpp"

namespace daelab {

/// P A Q is block upper triangular, its diagonal blocks are L U.
struct PivotSequence {
  std::vector<int> rows, columns;  // P and Q
  std::vector<int> block_end;      // (n) of the block a column belongs to: its first row, last row + 1
  std::vector<int> block_begin;
  std::vector<int> L_start, L_row, U_start, U_row;  // without the diagonals, rows ascending
  /// Entries of each permuted column that are in its block, where they go and where they come from among those of the
  /// pattern; then those above the block, which stay as they are.
  std::vector<int> target_start, target, source, F_start, F_row, F_entry;

  Index size() const { return static_cast<Index>(rows.size()); }
  /// Products that a factorisation subtracts.
  Index updates() const;
  bool operator==(const PivotSequence&) const = default;
};

/// Orders a pattern once; chooses pivots for given numbers.
class Klu {
 public:
  explicit Klu(const SparsePattern& pattern);
  ~Klu();
  Klu(const Klu&) = delete;
  Klu& operator=(const Klu&) = delete;

  /// False: structurally or exactly singular. KLU reads the values only.
  bool choose(Vector<double>& values, PivotSequence& sequence);
  bool choose(Vector<std::complex<double>>& values, PivotSequence& sequence);

 private:
  struct Analysis;
  std::shared_ptr<const Analysis> analysis_;
};

}  // namespace daelab
