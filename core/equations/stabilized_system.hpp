// Stabilised forms: the constraints at several levels at once, each level above the lowest with multipliers of its own
// that vanish on the exact solution.
//
//   ggl, levels C and C':           y = (q, v, lambda, mu)
//     q' - v + C_q^T mu = 0,  M v' + C_q^T lambda - Q = 0,  C = 0,  C_q v + C_t = 0.   [Ren20, (37), (81)]
//   stabilized-index-1, C, C', C'': y = (q, v, lambda, mu, tau, a)
//     q' - v + C_q^T mu = 0,  v' - a + C_q^T tau = 0,  C = 0,  C_q v + C_t = 0,  C_q a - gamma = 0,
//     M a + C_q^T lambda - Q = 0.   [Ren20, Sec. 4, after eq. (84)]
//
// Algebraic states and their equations are at the end of lambda and of the rows, as in mechanical_system.hpp.
//
// Nonholonomic constraints have no position level and no mu: lambda and tau act along C_q^T and G_v^T. [Ren20, eq.
// (94)]
//
// Linear systems keep n + (levels) m unknowns; q', v' and a are eliminated. The derivative of C_q^T mu and C_q^T tau
// with respect to q is left out there: mu and tau are as small as the error.
//
// [Ren20] Ren, Zhou, Journal of Dynamics and Control, 2020, doi 10.6052/1672-6553-2020-098.
#pragma once

#include <memory>

#include "core/equations/mechanical_system.hpp"

namespace daelab {

template <class T>
class StabilizedSystem final : public System<T> {
 public:
  enum class Levels { position_and_velocity = 2, all = 3 };
  StabilizedSystem(MechanicalModel<T>& model, Levels levels, Multipliers<T>& multipliers);
  ~StabilizedSystem() override;

  void residual(const T& t, const Vector<T>& y, const Vector<T>& ydot, Vector<T>& F) override;
  std::unique_ptr<Linearization<T>> linearization() override;
  /// mu = tau = 0.
  Status consistent_derivatives(const T& t, Vector<T>& y, Vector<T>& ydot) override;
  Forms* forms() override { return &model_.forms(); }
  MechanicalModel<T>* mechanical_model() override { return &model_; }
  void correction_weights(const T& h, const Vector<T>& y, Vector<T>& w) const override;

 private:
  MechanicalModel<T>& model_;
  Index levels_, constraints_, holonomic_;
  MechanicalLayout layout_;
  std::unique_ptr<RedundantRows<T>> redundant_;  // null where they cannot occur
  AccelerationSolver<T> acceleration_solver_;
  ConstraintLevels<T> x_;
  SparseData<T> data_;  // for redundant constraints
  Vector<T> q_, v_, a_, lambda_, mu_, tau_;
};

}  // namespace daelab
