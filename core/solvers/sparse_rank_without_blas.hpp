// Rank by a QR factorisation that calls no BLAS: for strict arithmetic.
#pragma once

#include "core/solvers/sparse_rank.hpp"

namespace daelab {

/// As find_dependent_rows() without largest_dropped, by Eigen's SparseQR, whose order of columns is COLAMD's too: rows
/// of A at most `drop` away from the span of those before are dependent.
void find_rows_without_blas(const SparseMatrix<double>& A, double drop, RowDependence& result);

}  // namespace daelab
