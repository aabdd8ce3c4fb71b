// Mechanical models as formulations, methods and observers see them: values of what follows from a recording.
//
//   M(t,q) a + C_q(t,q)^T lambda + G_v(t,q,v)^T mu = Q(t,q,v),  C(t,q) = 0,  G(t,q,v) = 0,  v = dq/dt,  a = dv/dt.
//   n coordinates, m constraints, the last p of them nonholonomic (G); lambda and mu are in one vector of length m.
//
// Controllers and actuators have first-order states s, s' = f(t,q,v,s). They are at the end of v, and their integrals
// at the end of q: so every formulation and every method treats them as it treats velocities.
//
// Algebraic states z, 0 = g(t,q,v,lambda,z), are at the end of the multipliers, because both are determined at every
// instant: l multipliers in all, m of constraints and those. Q may depend on all of them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/mechanism/group_coordinates.hpp"
#include "core/mechanism/level.hpp"
#include "core/mechanism/model.hpp"
#include "core/solvers/sparse_matrix.hpp"

namespace daelab {

template <class T>
struct Energy {
  T kinetic{0}, potential{0};
  T total() const { return kinetic + potential; }
};

/// The blocks of the linearised equations, constraints at some level: row = R_q dq + R_v dv + R_a da. The last four
/// are without entries, and need no size, where the equations of motion are linear.
template <class T>
struct MechanicalBlocks {
  Matrix<T> M, K, D;           // (n, n)
  Matrix<T> J, R_q, R_v, R_a;  // (m, n); J: C_q and G_v
  Matrix<T> Q_mu;              // (n, l), the derivative of -Q by all multipliers
  Matrix<T> g_q, g_v, g_mu;    // (l - m, n), (l - m, n), (l - m, l)
};

/// Linearised equations by values on patterns, which change only with the mode of a model.
template <class T>
struct SparseBlocks {
  SparseMatrix<T> M, K, D, J, R_q, R_v, R_a, Q_mu, g_q, g_v, g_mu;
};

/// The equations of motion and the constraints at every level up to one, with g below those of positions; J by values
/// on its pattern.
template <class T>
struct ConstraintLevels {
  Vector<T> motion, position, velocity, acceleration;
  SparseMatrix<T> J;
};

/// M, Q, J and h, what accelerations are solved from; M and J by values on patterns. Q is that without multipliers.
template <class T>
struct SparseData {
  SparseMatrix<T> M, J;
  Vector<T> Q, h;
};

/// In its start mode after construction.
template <class T>
class MechanicalModel final : public Model<T> {
 public:
  /// Throws std::logic_error for a recording without coordinates.
  explicit MechanicalModel(std::shared_ptr<RecordedProblem> problem);

  MechanicalModel<T>* mechanical() override { return this; }
  using Model<T>::evaluator;
  using Model<T>::forms;

  Index coordinates() const;  // n
  Index constraints() const;  // m
  /// p: the last so many constraints have no position level.
  Index nonholonomic() const;
  /// The last so many coordinates are the integrals of first-order states, their velocities.
  Index integrated_states() const;
  /// The last so many multipliers are algebraic states.
  Index algebraic_states() const;
  /// The highest level of what enters their equations: that of positions, of velocities, or of accelerations, together
  /// with which multipliers are determined.
  Level algebraic_level() const;
  Index multipliers() const { return constraints() + algebraic_states(); }  // l
  /// M a + J^T lambda = Q, J a + h = 0 are linear: Q depends on no multipliers, and there are no algebraic states.
  bool has_linear_equations() const;
  /// First guess of multipliers: zeros, and the start values of algebraic states.
  Vector<T> initial_multipliers() const;
  Vector<T> initial_q() const { return this->initial_y().head(coordinates()); }
  Vector<T> initial_v() const { return this->initial_y().tail(coordinates()); }
  Index size() const override { return 2 * coordinates(); }
  Vector<T> recorded_y() const override;

  /// M depends on neither t nor q.
  bool constant_mass() const;
  /// The least pivot of M beside the entry of its diagonal: above 0 where M is positive definite. Without M itself, and
  /// nothing where the recording knows no shorter way to pivots than an elimination of M.
  std::optional<T> least_mass_pivot(const T& t, const Vector<T>& q);
  void mass(const T& t, const Vector<T>& q, Matrix<T>& M);                       // (n, n)
  void force(const T& t, const Vector<T>& q, const Vector<T>& v, Vector<T>& Q);  // (n) at lambda = 0

  /// C and C_q in one pass. Shapes (m) and (m, n); rows of nonholonomic constraints are left as they are.
  void constraint(const T& t, const Vector<T>& q, Vector<T>& C, Matrix<T>& C_q);

  /// G and G_v into the rows of nonholonomic constraints; the others are left as they are. Shapes (m) and (m, n).
  void velocity_constraint(const T& t, const Vector<T>& q, const Vector<T>& v, Vector<T>& G, Matrix<T>& G_v);
  /// Every constraint at its lowest level, C or G, and the constraint Jacobian, C_q or G_v.
  void constraints_and_jacobian(const T& t, const Vector<T>& q, const Vector<T>& v, Vector<T>& C, Matrix<T>& J) {
    constraint(t, q, C, J);
    velocity_constraint(t, q, v, C, J);
  }

  /// The constraints differentiated `level` times along a motion with velocity v and acceleration a:
  /// C;  C_q v + C_t;  C_q a - gamma with gamma = -(C_q v)_q v - 2 C_tq v - C_tt. Nonholonomic ones: 0; G; dG/dt.
  /// Shape (m).
  void constraint_level(Level level, const T& t, const Vector<T>& q, const Vector<T>& v, const Vector<T>& a,
                        Vector<T>& r);

  /// The acceleration level at a = 0: h = -gamma in C_q a + h = 0. Shape (m).
  void curvature(const T& t, const Vector<T>& q, const Vector<T>& v, Vector<T>& h);

  /// Derivative of constraint_level with respect to q. Shape (m, n).
  void constraint_level_q(Level level, const T& t, const Vector<T>& q, const Vector<T>& v, const Vector<T>& a,
                          Matrix<T>& R_q);
  /// Derivative of the acceleration level with respect to v: twice the velocity level's q-derivative, except for
  /// nonholonomic constraints. Shape (m, n).
  void acceleration_level_v(const T& t, const Vector<T>& q, const Vector<T>& v, const Vector<T>& a, Matrix<T>& R_v);

  /// K and D, the derivatives of M a + C_q^T lambda + G_v^T mu - Q with respect to q and v. Shapes (n, n).
  void motion_jacobians(const T& t, const Vector<T>& q, const Vector<T>& v, const Vector<T>& a, const Vector<T>& lambda,
                        Matrix<T>& K, Matrix<T>& D);

  /// What accelerations are solved from: M, Q, the constraint Jacobian J, C_q and G_v, and h = -gamma. In one
  /// pass.
  void data(const T& t, const Vector<T>& q, const Vector<T>& v, Matrix<T>& M, Vector<T>& Q, Matrix<T>& J, Vector<T>& h);
  /// M a + C_q^T lambda + G_v^T mu - Q (n), and the constraints at a level with g below them (l). In one pass. By
  /// addresses of numbers in a row, so that nothing is copied out of and into the vectors of a system.
  void residual(Level level, const T& t, const T* q, const T* v, const T* a, const T* lambda, T* motion, T* row);
  void residual(Level level, const T& t, const Vector<T>& q, const Vector<T>& v, const Vector<T>& a,
                const Vector<T>& lambda, Vector<T>& motion, Vector<T>& row) {
    residual(level, t, q.data(), v.data(), a.data(), lambda.data(), motion.data(), row.data());
  }
  /// Evaluates the levels of positions (l), with 0 in rows of nonholonomic constraints, and of velocities (m), and of
  /// accelerations (m) if that is the highest, with the constraint Jacobian (m, n). In one pass; the first call, and
  /// the first one in a new mode, allocate.
  void levels(Level highest, const T& t, const Vector<T>& q, const Vector<T>& v, const Vector<T>& a,
              const Vector<T>& lambda, ConstraintLevels<T>& x);
  /// All blocks of that, in one pass.
  void blocks(Level level, const T& t, const Vector<T>& q, const Vector<T>& v, const Vector<T>& a,
              const Vector<T>& lambda, MechanicalBlocks<T>& blocks);

  /// The constraint Jacobian on its pattern (m, n), which is set here, as those of the next two.
  void jacobian(const T& t, const Vector<T>& q, const Vector<T>& v, SparseMatrix<T>& J);
  /// data() and blocks() on patterns. Patterns and sizes are set here: the first call, and the first one in a new mode,
  /// allocate.
  void data(const T& t, const Vector<T>& q, const Vector<T>& v, SparseData<T>& data);
  void blocks(Level level, const T& t, const Vector<T>& q, const Vector<T>& v, const Vector<T>& a,
              const Vector<T>& lambda, SparseBlocks<T>& blocks);

  bool has_energy() const;
  Energy<T> energy(const T& t, const Vector<T>& q, const Vector<T>& v);
  /// Energy, 0 if there is none, and constraint_level() at the levels of positions, velocities and accelerations,
  /// shapes (m). In one pass.
  Energy<T> invariants(const T& t, const Vector<T>& q, const Vector<T>& v, const Vector<T>& a,
                       std::array<Vector<T>, 3>& levels);

  /// Coordinates on Lie groups, about bases that held() carries.
  const std::vector<GroupCoordinates>& groups() const;

  /// Sets of coordinates for the same motion, each singular elsewhere. A run starts, and is recorded, in chart 0.
  Index charts() const;
  Index chart() const;
  void set_chart(Index chart);
  /// The one that takes over at an event of this kind.
  Index chart_after(Index event) const;
  /// (q, v, a) of the present chart in another one, q on the branch next to `near`; nothing is set.
  void to_chart(Index chart, const Vector<T>& near, Vector<T>& q, Vector<T>& v, Vector<T>& a);

 private:
  Vector<T> zero_;
};

}  // namespace daelab
