// The members of DenseLu, for the two files that compile them: by Eigen in double
// (core/solvers/linear_solver_double.cpp), by plain loops in more digits (core/solvers/linear_solver.cpp).
#pragma once

#include <type_traits>

#include "core/solvers/linear_solver.hpp"

namespace daelab {

/// Both factorise by compute(A), show their factors in place by matrixLU(), and solve(b) in place.
template <class S>
class EigenLu;
template <class S>
class PlainLu;

template <class S>
struct DenseLu<S>::Storage {
  using Real = typename Eigen::NumTraits<S>::Real;
  explicit Storage(Index size) : matrix(Matrix<S>::Zero(size, size)), lu(size) {}
  Matrix<S> matrix;
  std::conditional_t<std::is_same_v<Real, double>, EigenLu<S>, PlainLu<S>> lu;
};

template <class S>
DenseLu<S>::DenseLu(Index size) : storage_(std::make_unique<Storage>(size)) {}
template <class S>
DenseLu<S>::~DenseLu() = default;
template <class S>
DenseLu<S>::DenseLu(DenseLu&&) noexcept = default;
template <class S>
DenseLu<S>& DenseLu<S>::operator=(DenseLu&&) noexcept = default;

template <class S>
Matrix<S>& DenseLu<S>::matrix() {
  return storage_->matrix;
}

template <class S>
Status DenseLu<S>::factorize() {
  using std::abs;
  using Real = typename Eigen::NumTraits<S>::Real;
  storage_->lu.compute(storage_->matrix);
  const auto& lu = storage_->lu.matrixLU();
  Real smallest = std::numeric_limits<Real>::max(), largest(0);
  for (Index i = 0; i < lu.rows(); ++i) {
    const Real pivot = abs(lu(i, i));
    if (!(pivot <= std::numeric_limits<Real>::max()))
      return {StatusCode::non_finite, "an entry of the iteration matrix is not finite"};
    smallest = std::min(smallest, pivot);
    largest = std::max(largest, pivot);
  }
  if (smallest <= epsilon<Real>() * largest)
    return {StatusCode::singular, "a pivot of the iteration matrix vanishes to round-off"};
  return {};
}

template <class S>
void DenseLu<S>::solve(Vector<S>& b) const {
  storage_->lu.solve(b);
}

}  // namespace daelab
