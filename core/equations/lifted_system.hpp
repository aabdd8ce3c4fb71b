// Index 1 at lifted points: what forms in local coordinates and in quasi-velocities have in common. Both are written on
// y = (q, v, lambda) of the mechanism, lift y before they evaluate, and lift every step end; what is lifted tells them
// apart.
#pragma once

#include <string>
#include <vector>

#include "core/equations/acceleration_derivatives.hpp"
#include "core/equations/local_coordinates.hpp"
#include "core/equations/mechanical_system.hpp"

namespace daelab {

/// Derivatives by (q, v) of what is lifted: q' = L, v' = a and lambda; (n, n), (n, n) and (m, n).
template <class T>
struct LiftedBlocks {
  Matrix<T> L_q, L_v, a_q, a_v, lambda_q, lambda_v;
};

/// The derivatives of a and lambda of the mechanism, from the blocks of index 1, times those of the lift. They depend
/// on the point alone, in coordinates chosen there: a Jacobian that is kept is the same whenever it is made again.
/// Coordinates of another step differ in what they do to vectors off the tangent space, which iterations converge to
/// zero.
template <class T>
class LiftedLinearization : public Linearization<T> {
 public:
  /// of_steps: the coordinates of the system, whose ranks are taken where they have been chosen.
  LiftedLinearization(MechanicalModel<T>& model, LocalBasis basis, const LocalCoordinates<T>& of_steps,
                      std::unique_ptr<Linearization<T>> of_index_1);
  void evaluate(const T& t, const Vector<T>& y, const Vector<T>& ydot) override;
  void coupled(SparseMatrix<T>& F_y, SparseMatrix<T>& F_ydot) override;

 protected:
  virtual Status lift(LocalCoordinates<T>& coordinates, const T& t, Vector<T>& q, Vector<T>& v) = 0;
  /// Derivatives of lifted (q, v) by what lift() was given, (n, n) each; and of L, in blocks_, where it is not v.
  virtual void differentiate(LocalCoordinates<T>& coordinates, const T& t, const Vector<T>& q, const Vector<T>& v,
                             Matrix<T>& q_q, Matrix<T>& v_q, Matrix<T>& v_v) = 0;
  LiftedBlocks<T> blocks_;

 private:
  Index n_, m_;
  const LocalCoordinates<T>& of_steps_;
  std::unique_ptr<Linearization<T>> of_index_1_;
  LocalCoordinates<T> coordinates_;
  AccelerationDerivatives<T> accelerations_;
  Matrix<T> q_q_, v_q_, v_v_, F_y_, F_ydot_;
  Vector<T> y_, q_, v_;
  std::shared_ptr<const SparsePattern> full_ = SparsePattern::full(2 * n_ + m_, 2 * n_ + m_);
};

/// The point that coordinates belong to: where each step starts, or the start of the model, for all steps.
enum class BasisPoint { step, start };
inline std::vector<std::string> names_of(BasisPoint) { return {"step", "start"}; }

template <class T>
class LiftedSystem : public ConstrainedSystem<T> {
 public:
  LiftedSystem(MechanicalModel<T>& model, LocalBasis basis, Multipliers<T>& multipliers,
               BasisPoint point = BasisPoint::step);

  /// Not a number where the lift fails; resolved_residual() says why.
  void residual(const T& t, const Vector<T>& y, const Vector<T>& ydot, Vector<T>& F) override;
  /// (q' - L, v' - a, lambda - lambda(L)), with L the lifted velocities.
  Status resolved_residual(const T& t, const Vector<T>& y, const Vector<T>& ydot, Vector<T>& F) override;
  std::unique_ptr<Linearization<T>> linearization() override;
  Status consistent_derivatives(const T& t, Vector<T>& y, Vector<T>& ydot) override;
  Status start_step(const T& t, const T& h, const Vector<T>& y) override;
  Status project(const T& t, Vector<T>& y) override;

 protected:
  /// B at a point.
  virtual Status choose(LocalCoordinates<T>& coordinates, const T& t, const Vector<T>& q, const Vector<T>& v) = 0;
  virtual Status lift(LocalCoordinates<T>& coordinates, const T& t, Vector<T>& q, Vector<T>& v) = 0;
  virtual std::unique_ptr<Linearization<T>> lifted_linearization(LocalBasis basis, const LocalCoordinates<T>& of_steps,
                                                                 std::unique_ptr<Linearization<T>> of_index_1) = 0;
  MechanicalLayout layout_;

 private:
  Status choose_at(const T& t, const Vector<T>& y);

  LocalBasis basis_;
  BasisPoint point_;
  LocalCoordinates<T> coordinates_;
  Vector<T> lifted_, q_, v_;
};

}  // namespace daelab
