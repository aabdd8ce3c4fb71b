// Forms with accelerations as functions of (q, v) whose solutions stay on the constraints.
//
//   projected   index 1 in every stage; the end of a step is moved onto C = 0, then onto C_q v + C_t = 0 and G = 0:
//                 W (q - q*) + C_q^T mu = 0,  C(t, q) = 0;   W (v - v*) + J^T mu = 0,  J = C_q and G_v, W = M [Ren20,
//                 Sec. 6] or W = 1, the nearest point of the constraints [HW96, Sec. VII.2].
//   penalty     for explicit methods alone: every f = 0 replaced by f' + chi f = 0: constraints are an attractor with
//   the eigenvalue -chi,
//                 M q' + C_q^T mu = M v,  C_q q' = -C_t - chi C;
//                 M v' + J^T lambda = Q,  C_q v' = gamma - chi (C_q v + C_t),  dG/dt = -chi G.             [(91), (92)]
//
// [HW96] Hairer, Wanner, Solving Ordinary Differential Equations II, 2nd ed., Springer, 1996.
// [Ren20] Ren, Zhou, Journal of Dynamics and Control, 2020, doi 10.6052/1672-6553-2020-098.
#pragma once

#include <optional>

#include "core/equations/local_coordinates.hpp"
#include "core/equations/mechanical_system.hpp"

namespace daelab {

/// M x + J^T mu = f, J x + h = 0 with M and J of one point after the other, J = C_q and G_v. Each point is evaluated
/// and factorised once, however many right-hand sides it gets. Nothing is allocated after the first solve.
template <class T>
class PointSolver {
 public:
  PointSolver(MechanicalModel<T>& model, Multipliers<T>& multipliers);

  /// Evaluates M, J, C and G, unless M and J are those of the point already.
  void move_to(const T& t, const Vector<T>& q, const Vector<T>& v);
  /// f(row, column, entry) for the entries of J that may not be zero.
  void visit_jacobian(auto&& f) const { data_.J.visit(f); }
  const Vector<T>& constraints() const { return C_; }  // (m) G is that of the first v the point had
  Status solve(const Vector<T>& f, const Vector<T>& h, Vector<T>& x, Vector<T>& mu);
  /// With the point of the last factorisation instead of the present one.
  Status solve_nearby(const Vector<T>& f, const Vector<T>& h, Vector<T>& x, Vector<T>& mu) {
    return multipliers_.solve_again(f, h, x, mu);
  }
  /// After somebody else has used the multiplier solver.
  void forget_factorization() { factorized_ = false; }

 private:
  bool is_at(const T& t, const Vector<T>& q, const Vector<T>& v) const;

  MechanicalModel<T>& model_;
  Multipliers<T>& multipliers_;
  bool has_point_ = false, has_data_ = false, mass_is_known_ = false, factorized_ = false;
  T t_{0};
  SparseData<T> data_;
  Matrix<T> M_, J_;  // for multiplier solvers that take dense matrices
  Vector<T> q_, v_, C_, row_, zero_;
};

struct Projection {
  bool position = true, velocity = true, by_mass = true;
  Real100 bound = 0;    // a level violated by no more is left alone
  int corrections = 0;  // the most of a level at a step end; 0: until it holds
};

/// The matrices of the projected point serve the velocities and the slope there, the first one of the next step.
template <class T>
class ProjectedSystem : public ConstrainedSystem<T> {
 public:
  ProjectedSystem(MechanicalModel<T>& model, const Projection& projection, Multipliers<T>& multipliers);
  /// Simplified Newton iterations with the matrices of the first iterate [Ren20, (89)]. Returns newton_diverged with
  /// the cause, or what the multiplier solver says.
  Status project(const T& t, Vector<T>& y) override;
  Status consistent_derivatives(const T& t, Vector<T>& y, Vector<T>& ydot) override;
  Status derivatives_at_lanes(const Vector<T>& t, Matrix<T>& Y, Matrix<T>& Ydot, Index count) override;
  Status resolved_residual(const T& t, const Vector<T>& y, const Vector<T>& ydot, Vector<T>& F) override;

 private:
  Status move_onto(Level level, const T& t);
  Status find_correction(bool first);
  void evaluate(Level level, const T& t);
  T relative_violation(const Vector<T>& x);

  PointSolver<T> point_;
  std::optional<DependentPart<T>> nearest_;  // of W = 1
  Index rank_ = 0;                           // of the constraints at the start
  Matrix<T> J_;
  Projection projection_;
  T bound_;
  MechanicalLayout layout_;
  Vector<T> q_, v_, correction_, mu_, row_, row_size_, force_, zero_;
};

/// How fast constraints attract: with the rate chi, or with gain/h in a step of size h.
template <class T>
struct AttractionRate {
  T value{0};
  bool by_step = false;
};

/// Methods that need the residual, the implicit ones, are refused where there are constraints.
template <class T>
class PenaltySystem : public ConstrainedSystem<T> {
 public:
  PenaltySystem(MechanicalModel<T>& model, const AttractionRate<T>& rate, Multipliers<T>& multipliers);
  Status start_step(const T& t, const T& h, const Vector<T>& y) override;
  std::unique_ptr<Linearization<T>> linearization() override;
  Status consistent_derivatives(const T& t, Vector<T>& y, Vector<T>& ydot) override;

 private:
  PointSolver<T> point_;
  AttractionRate<T> attraction_;
  T chi_;  // of the step; before the first one, on the constraints, it has no effect
  MechanicalLayout layout_;
  Vector<T> q_, v_, x_, mu_, row_, rate_, force_, zero_;
};

/// A rate for constraints that attract, well above those of the system: ten times the spectral radius at the start, at
/// least 10, rounded up to a power of two. Throws InputError under /formulation/`option` for mechanisms too large for
/// it.
template <class T>
double automatic_attraction(MechanicalModel<T>& model, const char* option);

/// The largest |eigenvalue| of the derivative of (v, a) with respect to (q, v) at the start, by central differences: to
/// about five digits.
template <class T>
double start_spectral_radius(MechanicalModel<T>& model);

}  // namespace daelab
