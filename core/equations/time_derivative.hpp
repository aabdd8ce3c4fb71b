// The derivative of the equations by time alone, F_t(t, y, y'), from the recorded expressions: what methods need that
// linearise in t, too.
#pragma once

#include <memory>

#include "core/equations/system.hpp"
#include "core/expressions/program.hpp"
#include "core/solvers/sparse_lu.hpp"

namespace daelab {

/// Differentiates a system whose residuals are the recorded equations as they are; the system must outlive it.
template <class T>
class TimeDerivative {
 public:
  explicit TimeDerivative(System<T>& system);
  ~TimeDerivative();

  /// Whether the equations of the present mode have t in them. Throws NotApplicable where they do and the derivative
  /// cannot be made: forms that add terms of their own to the recorded equations, outputs of discrete-time blocks.
  bool depends_on_time();
  /// F_t (N) := the derivative of System::resolved_residual() by t, where F(t, y, y') = 0; `linearization` was
  /// evaluated there. Of mechanisms of index 0 and 1 it is resolved, by one factorisation, which is counted.
  Status evaluate(Linearization<T>& linearization, const T& t, const Vector<T>& y, const Vector<T>& ydot,
                  Vector<T>& F_t, Statistics& statistics);

 private:
  struct Mode;
  void enter_mode();
  Status resolve(Linearization<T>& linearization, Vector<T>& F_t, Statistics& statistics);

  System<T>& system_;
  std::unique_ptr<Mode> mode_;  // null: the equations do not depend on time
  Forms* forms_ = nullptr;      // of the mode that was looked at last
  bool looked_ = false;
  SparseMatrix<T> F_y_, F_ydot_;
  std::unique_ptr<BlockLu<T>> lu_;  // of dF/d(y' differential, y algebraic)
  std::shared_ptr<const SparsePattern> pattern_;
};

}  // namespace daelab
