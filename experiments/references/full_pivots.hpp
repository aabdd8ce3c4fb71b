// Independent rows of a matrix, and columns that they determine.
#pragma once

#include <vector>

#include "core/base/scalar.hpp"

namespace daelab {

/// Places of pivots, ascending.
struct FullPivots {
  std::vector<int> rows, columns;
};

/// Pivots of an elimination with full pivoting; rows are scaled to a largest entry of one, and it ends where no entry
/// is above the tolerance.
FullPivots full_pivots(Matrix<double> A, double tolerance);

}  // namespace daelab
