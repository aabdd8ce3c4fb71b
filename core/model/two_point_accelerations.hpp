// Accelerations at one point of a motion whose multipliers satisfy the velocity constraints at another one, as stages
// of half-explicit methods have them.
//
//   M(t,q) a + C_q(t,q)^T lambda = Q(t,q,v),   C_q(t',q') (v' + h a) + C_t(t',q') = 0.
//
// A linear system whose matrix [ M C_q^T; C_q' 0 ] is not symmetric.
#pragma once

#include "core/base/status.hpp"
#include "core/model/mechanical_model.hpp"
#include "core/solvers/linear_solver.hpp"

namespace daelab {

template <class T>
struct MotionPoint {
  T t{0};
  Vector<T> q, v;  // (n)
};

/// For models whose constraints are holonomic and whose balance is linear.
template <class T>
class TwoPointAccelerations {
 public:
  explicit TwoPointAccelerations(MechanicalModel<T>& model);
  /// a (n); `weight`: h. Status singular where the constraints at both points have nothing in common, or are dependent.
  Status solve(const MotionPoint<T>& at, const MotionPoint<T>& constrained, const T& weight, Vector<T>& a);

 private:
  MechanicalModel<T>& model_;
  DenseLu<T> lu_;
  Matrix<T> M_, J_;
  Vector<T> unknowns_, force_, C_, row_, zero_;
};

}  // namespace daelab
