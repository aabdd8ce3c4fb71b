// What the parts of the consistent-start analysis share.
#pragma once

#include <utility>

#include "core/base/norm.hpp"
#include "core/start/consistent_start.hpp"

namespace daelab {

/// From the largest entry of each row, what it is to be multiplied with for one of one; 1 for rows that vanish beside
/// the largest one.
template <class T>
Vector<T> row_scales(Vector<T> scale, double tolerance) {
  const T zero = max_norm(scale) * T(tolerance);
  for (T& s : scale) s = s > zero ? T(T(1) / s) : T(1);
  return scale;
}

template <class T>
Vector<T> row_scales(const Matrix<T>& C_q, double tolerance) {
  Vector<T> largest(C_q.rows());
  for (Index i = 0; i < C_q.rows(); ++i) largest[i] = max_norm(Vector<T>(C_q.row(i).transpose()));
  return row_scales(std::move(largest), tolerance);
}

/// For a dense constraint Jacobian, as analyse_redundancy() has it.
template <class T>
Redundancy independent_rows(const Matrix<T>& C_q, double tolerance);

/// Moves q onto C(t0, q) = 0, close by; what is returned is as of project_start().
template <class T>
Status restore_positions(MechanicalModel<T>& model, Vector<T>& q);

}  // namespace daelab
