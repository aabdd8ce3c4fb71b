// Accelerations at one point of a motion whose multipliers satisfy the velocity constraints at another one, as stages
// of half-explicit methods have them.
//
//   M(t,q) a + C_q(t,q)^T lambda = Q(t,q,v),   C_q(t*,q*) (v* + h a) + C_t(t*,q*) = 0.
//
// A linear system whose matrix [ M C_q^T; C_q* 0 ] is not symmetric, but has the pattern of a symmetric one: solved by
// generated code with the pivots of accelerations; if there is none, or a pivot is too small, by a sparse or dense
// factorisation.
#pragma once

#include "core/accelerations/generated_solve.hpp"
#include "core/base/status.hpp"
#include "core/mechanism/mechanical_model.hpp"
#include "core/solvers/sparse_lu.hpp"

namespace daelab {

template <class T>
struct MotionPoint {
  T t{0};
  Vector<T> q, v;  // (n)
};

/// For models whose constraints are holonomic and whose equations of motion are linear.
template <class T>
class TwoPointAccelerations {
 public:
  explicit TwoPointAccelerations(MechanicalModel<T>& model);
  /// a (n); `weight`: h. Status singular where the constraints at both points have nothing in common, or are dependent.
  Status solve(const MotionPoint<T>& at, const MotionPoint<T>& constrained, const T& weight, Vector<T>& a);

 private:
  bool generated(const MotionPoint<T>& at, const MotionPoint<T>& constrained, const T& weight, Vector<T>& a);
  Status factorized(const MotionPoint<T>& at, const MotionPoint<T>& constrained, const T& weight, Vector<T>& a);

  MechanicalModel<T>& model_;
  GeneratedSolve<T> accelerations_, between_;  // without constraints, and with
  std::vector<T> other_point_;
  const Forms* forms_ = nullptr;                  // of the mode that lu_ belongs to
  std::unique_ptr<BlockLu<T>> lu_;                // made when it is needed first
  std::size_t mass_ = 0, forces_ = 0, rows_ = 0;  // numbers of its blocks
  SparseData<T> at_, constrained_;
  Vector<T> unknowns_, row_, zero_;
};

}  // namespace daelab
