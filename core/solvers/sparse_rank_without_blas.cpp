#include "core/solvers/sparse_rank_without_blas.hpp"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseQR>

#include <algorithm>
#include <cmath>
#include <vector>

namespace daelab {

void find_rows_without_blas(const SparseMatrix<double>& A, double drop, RowDependence& result) {
  std::vector<Eigen::Triplet<double>> entries;
  A.visit(
      [&](Index i, Index j, double value) { entries.emplace_back(static_cast<int>(j), static_cast<int>(i), value); });
  Eigen::SparseMatrix<double> transposed(A.columns(), A.rows());
  transposed.setFromTriplets(entries.begin(), entries.end());
  Eigen::SparseQR<Eigen::SparseMatrix<double>, Eigen::COLAMDOrdering<int>> qr;
  qr.setPivotThreshold(drop);
  qr.compute(transposed);

  // Columns that are independent come first.
  const auto& order = qr.colsPermutation().indices();
  double smallest = 0, largest = 0;
  for (Index k = 0; k < A.rows(); ++k) {
    (k < qr.rank() ? result.independent_rows : result.dependent_rows).push_back(order[k]);
    if (k >= qr.rank()) continue;
    const double pivot = std::abs(qr.matrixR().coeff(k, k));
    smallest = k == 0 ? pivot : std::min(smallest, pivot);
    largest = std::max(largest, pivot);
  }
  result.smallest_kept = largest > 0 ? smallest / largest : 0;
  std::ranges::sort(result.independent_rows), std::ranges::sort(result.dependent_rows);
}

}  // namespace daelab
