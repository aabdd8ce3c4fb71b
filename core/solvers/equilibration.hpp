// Scales of rows and columns that make the largest entry of each about 1.
//
// [Rui01] Ruiz, A scaling algorithm to equilibrate both rows and columns norms in matrices, RAL-TR-2001-034, 2001.
#pragma once

#include "core/solvers/sparse_matrix.hpp"

namespace daelab {

/// Powers of two, so that products by them are exact except for underflow.
struct Scales {
  Vector<double> rows, columns;
  Vector<double> entries;  // of the pattern: rows times columns
};

/// Scales by [Rui01] in the maximum norm: the largest entry of every row and column of the scaled matrix lies between
/// 1/4 and 4. Rows and columns without any keep 1. `sizes` (entries): absolute values.
Scales equilibrate(const SparsePattern& pattern, const Vector<double>& sizes);

}  // namespace daelab
