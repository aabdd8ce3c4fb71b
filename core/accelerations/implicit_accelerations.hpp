// Accelerations where forces depend on multipliers, or algebraic states are among them.
#pragma once

#include "core/accelerations/acceleration_solver.hpp"
#include "core/solvers/newton.hpp"
#include "core/solvers/sparse_lu.hpp"

namespace daelab {

/// Newton's method for (a, mu), mu the multipliers of constraints and the algebraic states:
///   M a + J^T lambda = Q(t, q, v, mu),  J a + h + (gains) = 0,  g(t, q, v, mu) = 0.
/// That they are determined, index 1, requires a regular matrix [ M J^T - Q_mu; J 0; 0 g_mu ]. Friction that grows with
/// a normal force can make it singular, and there may be several solutions or none (Painleve's paradox).
template <class T>
class ImplicitAccelerations final : private NewtonTarget<T> {
 public:
  ImplicitAccelerations(MechanicalModel<T>& model, const BaumgarteGains<T>& gains);
  /// From the values that come in. Returns newton_diverged, singular or non_finite with the cause.
  Status solve(const T& t, const Vector<T>& q, const Vector<T>& v, Vector<T>& a, Vector<T>& mu);

 private:
  Status linearize() override;
  Status evaluate() override;
  void correct(const T& relaxation) override;
  T residual_size() override;
  T correction_size() override;
  void arrange();

  MechanicalModel<T>& model_;
  BaumgarteGains<T> gains_;
  Index n_, m_, l_;
  NewtonSettings<T> newton_;
  Statistics statistics_;
  T t_{0};
  Vector<T> q_, v_, a_, mu_, motion_, row_, feedback_, level_, x_;  // x_: residual, then correction, of (a, mu)
  SparseBlocks<T> blocks_;
  std::shared_ptr<const SparsePattern> pattern_;  // of K, which changes with all others
  BlockLu<T> lu_;
};

}  // namespace daelab
