// Mechanical models in first-order implicit form, with the constraints imposed at one level.
//
//   y = (q, v, lambda):   q' - v = 0,   M v' + C_q^T lambda - Q = 0,   row(t, q, v, v') = 0,
//   row = C (index 3), C_q v + C_t (index 2), C_q v' - gamma (index 1).   [Li19, eqs. (1)-(4)]
//
// A nonholonomic constraint has the rows G, G and dG/dt, and G_v for C_q.   [Ren20, eqs. (93)-(94)]
//
// Algebraic states z are at the end of lambda, and their equations g(t, q, v, lambda, z) = 0 below the rows; Q may
// depend on lambda and z.
//
// Linear systems are condensed: delta q' = kappa delta v' + r_q leaves n + m unknowns,
//
//   [ M + kappa D + kappa^2 K   C_q^T ] [delta v'    ]
//   [ scaled constraint row       0   ] [delta lambda]
//
// with the row divided by kappa^2 (index 3) or kappa (index 2), so it stays well conditioned as h -> 0. Where Q depends
// on lambda and z, the right column is the derivative by them, and the rows of g are as they are. On
// index 1 residuals come in resolved, (q' - v, v' - a(q, v), lambda - lambda(q, v)), and are multiplied by
// the frozen [ M C_q^T ; C_q 0 ] first.
//
// If the multiplier solver admits redundant constraints, the row is (I - N) row + w N lambda with N the projector
// onto the null space of C_q^T. Off the constraints redundant rows contradict each other by as much as they are
// violated; what remains has a solution, and the multipliers are those of least norm.
//
// [Ren20] Ren, Zhou, Journal of Dynamics and Control, 2020, doi 10.6052/1672-6553-2020-098.
// [Li19] Li, Ding, Li, Applied Mathematics and Mechanics (Chinese) 40(7), 2019, 768-779.
#pragma once

#include <memory>

#include "core/accelerations/acceleration_solver.hpp"
#include "core/equations/mechanical_layout.hpp"
#include "core/mechanism/mechanical_model.hpp"
#include "core/solvers/linear_solver.hpp"
#include "core/solvers/multiplier_solver.hpp"

namespace daelab {

template <class T>
class RedundantRows;
class ResidualLanes;

/// Throws NotApplicable where forces depend on multipliers that are not unique.
void refuse_redundant_nonlinear(bool linear_equations, bool redundant);

template <class T>
class ConstrainedSystem : public System<T> {
 public:
  /// Gains other than zero belong to Level::acceleration.
  ConstrainedSystem(MechanicalModel<T>& model, Level level, Multipliers<T>& multipliers, BaumgarteGains<T> gains = {});
  ~ConstrainedSystem() override;

  void residual(const T& t, const Vector<T>& y, const Vector<T>& ydot, Vector<T>& F) override;
  Status resolved_residual(const T& t, const Vector<T>& y, const Vector<T>& ydot, Vector<T>& F) override;
  std::unique_ptr<Linearization<T>> linearization() override;
  Status consistent_derivatives(const T& t, Vector<T>& y, Vector<T>& ydot) override;
  Forms* forms() override { return &model_.forms(); }
  MechanicalModel<T>* mechanical_model() override { return &model_; }
  void correction_weights(const T& h, const Vector<T>& y, Vector<T>& w) const override;

 protected:
  /// consistent_derivatives() by generated code alone: whether that applies.
  bool generated_derivatives(const T& t, Vector<T>& y, Vector<T>& ydot);
  /// Counterpart of this for derivatives_at_lanes().
  bool generated_derivatives_at_lanes(const Vector<T>& t, Matrix<T>& Y, Matrix<T>& Ydot, Index count);
  bool imposes_more_than_constraints() const { return redundant_ || !gains_.zero(); }
  MechanicalModel<T>& model_;
  Level level_;
  AccelerationSolver<T> acceleration_solver_;

 private:
  Index constraints() const { return model_.constraints(); }
  SystemFacts facts_of_level() const;
  /// Start values for accelerations of equations of motion that are not linear.
  void take_multipliers(const Vector<T>& y) {
    if (!model_.has_linear_equations()) lambda_ = layout_.lambda(y);
  }

  std::unique_ptr<RedundantRows<T>> redundant_;  // null where they cannot occur
  BaumgarteGains<T> gains_;
  MechanicalLayout layout_;
  Matrix<T> M_, J_;  // for redundant constraints
  Vector<T> q_, v_, a_, lambda_, Q_, C_, rate_, row_;
};

/// The constraints at one level and nothing else.
template <class T>
class OneLevelSystem final : public ConstrainedSystem<T> {
 public:
  OneLevelSystem(MechanicalModel<T>& model, Level level, Multipliers<T>& multipliers);
  ~OneLevelSystem() override;
  Status derivatives_at_lanes(const Vector<T>& t, Matrix<T>& Y, Matrix<T>& Ydot, Index count) override;
  Status resolved_residuals(const Vector<T>& t, const Matrix<T>& Y, const Matrix<T>& Ydot, Matrix<T>& R) override;

 private:
  std::unique_ptr<ResidualLanes> lanes_;  // null: residuals are evaluated one by one
};

}  // namespace daelab
