// Trapezoidal rule on the local equivalent index-1 system: the equations of motion projected on the null space of
// C_q, together with the position and the velocity level of the constraints, so that neither drifts.
//
//   B (q1 - q0 - h/2 (v1 + v0)) = 0,  C(t1, q1) = 0,
//   B (v1 - v0 - h/2 (a1 + a0)) = 0,  C_q v1 + C_t = 0,   B = V^T M,  C_q V = 0.   [Wang, (3.7a), (3.7b), (4.4)]
//
// Constraints may depend on time: C_t and the acceleration level gamma carry their time derivatives, the multipliers
// stay out of the equation of time. (The paper makes t a coordinate with a mass, which changes the motion.)
//
// [Wang] Wang, Zhao, Pan, local equivalent index-1 discretisation of Euler-Lagrange equations.
#pragma once

#include <memory>

#include "core/integration/method.hpp"
#include "core/solvers/linear_solver.hpp"
#include "core/solvers/null_space.hpp"

namespace daelab {

/// The blocks of the projected equations at one point, and its accelerations from
///   [V^T M; C_q] a = [V^T Q; gamma].                                                       [Wang, (4.2)]
/// n coordinates, m independent constraints, p = n - m. Nothing is allocated after construction.
template <class T>
class TangentEquations {
 public:
  TangentEquations(MechanicalModel<T>& model, NullSpaceBasis basis);

  /// V and B alone. Returns singular, with the rank, when the constraints are redundant there.
  Status project(const T& t, const Vector<T>& q);
  /// All blocks, and the factorisation of [B; C_q].
  Status evaluate(const T& t, const Vector<T>& q, const Vector<T>& v);

  const Matrix<T>& basis() const { return null_space_.basis(); }  // V (n, p)
  const Matrix<T>& projection() const { return B_; }              // V^T M (p, n)
  const Matrix<T>& constraint_jacobian() const { return C_q_; }   // (m, n)
  const Vector<T>& constraint() const { return C_; }              // (m)
  const Vector<T>& constraint_rate() const { return rate_; }      // C_q v + C_t (m)
  const Matrix<T>& constraint_rate_q() const { return rate_q_; }  // its derivative (m, n)
  const Matrix<T>& matrix() { return lu_.matrix(); }              // [B; C_q] (n, n)

  /// x := [B; C_q]^-1 x.
  void solve(Vector<T>& x) const { lu_.solve(x); }
  void accelerations(Vector<T>& a) const;
  /// The derivatives of a(t, q, v), (n, n) both, at the point of evaluate() and its accelerations.
  Status acceleration_jacobians(const T& t, const Vector<T>& q, const Vector<T>& v, const Vector<T>& a, Matrix<T>& a_q,
                                Matrix<T>& a_v);

 private:
  Status solve_multipliers(const Vector<T>& a);
  void solve_columns(const Matrix<T>& balance, const Matrix<T>& level, Matrix<T>& x);

  MechanicalModel<T>& model_;
  Index n_, m_;
  NullSpace<T> null_space_;
  DenseLu<T> lu_;
  CholeskyFactor<T> gram_;  // of C_q C_q^T
  Matrix<T> M_, C_q_, B_, rate_q_, K_, D_, level_q_;
  Vector<T> C_, rate_, h_, Q_, lambda_, column_;
};

struct LocalTrapezoidalScheme {
  NullSpaceBasis basis = NullSpaceBasis::orthogonal;
  /// B at the current iterate, hence at the step's end, instead of at its start: another scheme, whose solution
  /// differs by O(h^3), because in every step a change of B of O(h) meets a defect of O(h^3).
  bool refreshed = false;
  /// Full Newton iteration on the equations above, instead of one that takes the accelerations from the last
  /// iterate (Picard in a, Newton in C) as the paper does. Derivatives of B are left out: they come with a defect
  /// that is O(h^3) at the solution.
  bool newton = false;
};

/// Of `newton`, test, norm, tolerance and max_iterations apply; every iterate is evaluated and factorised anew, so
/// the name and the Jacobian's reuse have no meaning, and the iteration starts from the step's start. The increment
/// is that of (q, v): max, two, or scaled by 1 + |component|. Throws NotApplicable for forms other than index 1.
template <class T>
std::unique_ptr<Stepper<T>> make_local_trapezoidal(const LocalTrapezoidalScheme& scheme, System<T>& system,
                                                   MechanicalModel<T>& model, const NewtonOptions& newton);

}  // namespace daelab
