#include "experiments/references/full_pivots.hpp"

#include <algorithm>

namespace daelab {

FullPivots full_pivots(Matrix<double> A, double tolerance) {
  for (Index i = 0; i < A.rows(); ++i)
    if (const double largest = A.row(i).cwiseAbs().maxCoeff(); largest > 0) A.row(i) /= largest;
  FullPivots result;
  const Index most = std::min(A.rows(), A.cols());
  for (Index k = 0; k < most; ++k) {
    Index row = 0, column = 0;
    if (A.cwiseAbs().maxCoeff(&row, &column) <= tolerance) break;
    result.rows.push_back(static_cast<int>(row)), result.columns.push_back(static_cast<int>(column));
    const Vector<double> pivot_row = A.row(row).transpose();
    for (Index i = 0; i < A.rows(); ++i)
      if (i != row) A.row(i) -= A(i, column) / pivot_row[column] * pivot_row.transpose();
    A.row(row).setZero(), A.col(column).setZero();
  }
  std::ranges::sort(result.rows), std::ranges::sort(result.columns);
  return result;
}

}  // namespace daelab
