// Local coordinates of the constraints, without writing them down.
//
// A linear map B that is the same for a step takes x = B q and w = B v, as many as there are degrees of freedom, out of
// positions and velocities. What it leaves out is a combination of the columns of N, B N = 0, and the constraints give
// it back:
//
//   q := q + N eta,   C(t, q) = 0;      v := v + N zeta,   J v + C_t = 0 and G = 0,   J = C_q and G_v.         (lift)
//
// So N alone is needed, and it says which coordinates these are:
//
//   tangent space: B spans the null space of C_q at one point, and N = C_q^T, or M^-1 C_q^T. [PR91]
//   partition: B picks independent coordinates, and N the dependent ones, which a decomposition of C_q finds. [HY90]
//
// Rows may depend on each other: with U an orthonormal basis of the range of C_q, U^T C = 0 is solved, N has as many
// columns as U, and all rows are looked at.
//
// [PR91] Potra, Rheinboldt, On the numerical solution of Euler-Lagrange equations, Mechanics of Structures and
// Machines 19(1), 1991, 1-18.
// [HY90] Haug, Yen, Generalized coordinate partitioning methods for numerical integration of differential-algebraic
// equations of dynamics, in: Real-Time Integration Methods for Mechanical System Simulation, Springer, 1990, 97-114.
#pragma once

#include <optional>

#include "core/base/status.hpp"
#include "core/mechanism/mechanical_model.hpp"
#include "core/solvers/dense.hpp"
#include "core/solvers/linear_solver.hpp"

namespace daelab {

enum class LocalBasis {
  tangent,          // N = C_q^T U
  tangent_by_mass,  // N = M^-1 C_q^T U
  partition         // N: unit vectors of dependent coordinates
};

/// What constraint rows leave to the constraints: U (m, r) and N (n, r). Sizes are those of the first rank; nothing is
/// allocated after that.
template <class T>
class DependentPart {
 public:
  DependentPart(Index constraints, Index coordinates);

  /// Decomposes the first rows of J (m, n). `mass`: the factor of M for N = M^-1 J^T U, null for the other bases. The
  /// rank is the one given, as off the constraints, where rows that depend on each other do so no more; -1: pivots
  /// below sqrt(epsilon) times the largest count as zero.
  void choose(const Matrix<T>& J, Index rows, LocalBasis basis, const CholeskyFactor<T>* mass, Index rank = -1);
  Index rank() const { return rank_; }
  /// Factorises U^T J N. Returns singular where the coordinates chosen do not determine the others.
  Status factorize(const Matrix<T>& J);
  /// N (U^T J N)^-1 U^T row: x loses it so that row = 0. Shape (n).
  const Vector<T>& correction(const auto& row);

 private:
  void set_rank(Index rank);

  Index rows_ = 0, rank_ = -1;
  dense::ColumnPivotedQr<T> qr_;
  Matrix<T> square_, Q_;  // (s, s), s the larger of m and n
  Matrix<T> U_, N_, UJ_;  // (m, r), (n, r), (r, n)
  std::optional<DenseLu<T>> lu_;
  Vector<T> reduced_, x_;
};

template <class T>
class LocalCoordinates {
 public:
  LocalCoordinates(MechanicalModel<T>& model, LocalBasis basis);

  /// Chooses B at a point of the constraints. Returns singular where the rank is another one than at the first point:
  /// there are more, or fewer, coordinates than before.
  Status choose(const T& t, const Vector<T>& q, const Vector<T>& v);
  /// Chooses near the constraints, with the ranks of other coordinates, which must have been chosen.
  Status choose(const T& t, const Vector<T>& q, const Vector<T>& v, const LocalCoordinates& with_ranks_of);
  bool chosen() const { return chosen_; }
  /// Newton's method for positions and velocities; corrections have to halve, so that no other branch is taken. Returns
  /// newton_diverged or singular with the cause.
  Status lift(const T& t, Vector<T>& q, Vector<T>& v);

  /// Velocities alone, at positions as they are.
  Status lift_velocities(const T& t, const Vector<T>& q, Vector<T>& v);

  /// Derivatives of what lift() made, (q, v), by what it was given; shapes (n, n). Call it after lift().
  void lift_derivatives(const T& t, const Vector<T>& q, const Vector<T>& v, Matrix<T>& q_q, Matrix<T>& v_q,
                        Matrix<T>& v_v);
  /// Derivatives of what lift_velocities() made of velocities, with q_q the derivative of the positions.
  void lift_velocities_derivatives(const T& t, const Vector<T>& q, const Vector<T>& v, const Matrix<T>& q_q,
                                   Matrix<T>& v_q, Matrix<T>& v_v);

 private:
  Status evaluate_rows(const T& t, const Vector<T>& q, const Vector<T>& v);
  Status move_onto(Level level, const T& t, Vector<T>& q, Vector<T>& v);
  void evaluate(Level level, const T& t, const Vector<T>& q, const Vector<T>& v);
  T relative_violation(const Vector<T>& x) const;
  const CholeskyFactor<T>* mass() const { return basis_ == LocalBasis::tangent_by_mass ? &mass_ : nullptr; }
  DependentPart<T>& part(Level level) {
    return level == Level::position || holonomic_ == m_ ? holonomic_rows_ : all_rows_;
  }

  MechanicalModel<T>& model_;
  LocalBasis basis_;
  Index n_, m_, holonomic_;
  bool chosen_ = false;
  DependentPart<T> holonomic_rows_, all_rows_;
  CholeskyFactor<T> mass_;
  Matrix<T> J_, rate_q_;
  Vector<T> C_, row_, zero_, q_;
};

}  // namespace daelab
