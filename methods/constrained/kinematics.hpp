// Kinematic analysis of a system without degrees of freedom: as many independent constraints as coordinates, C_q
// square and regular. The constraints alone determine the motion; the forces determine what it takes.
//
//   C(t, q) = 0,  C_q v = -C_t,  C_q a = gamma,  C_q^T lambda = Q - M a.                   [Ren20, (11), (13) to (15)]
//
// [Ren20] Ren, Zhou, Journal of Dynamics and Control, 2020, doi 10.6052/1672-6553-2020-098 (a review of integrator
// algorithms for multibody software).
#pragma once

#include "core/mechanism/mechanical_model.hpp"
#include "core/solvers/linear_solver.hpp"
#include "core/solvers/newton.hpp"

namespace daelab {

/// Nothing is allocated after construction. n coordinates; work is counted in the statistics handed over.
template <class T>
class KinematicAnalysis final : private NewtonTarget<T> {
 public:
  /// Of `newton`, the name (full: C_q in every iteration, otherwise once), test, norm, tolerance and max_iterations
  /// apply. The model must have as many constraints as coordinates.
  KinematicAnalysis(MechanicalModel<T>& model, const NewtonOptions& newton);

  /// q with C(t, q) = 0 by Newton's method from the guess it comes in with. Returns newton_diverged, singular or
  /// non_finite with the cause.
  Status positions(const T& t, Vector<T>& q, Statistics& statistics);
  /// v, a and lambda at a position on the constraints, with one C_q. Returns singular where no velocity is
  /// determined: the mechanism can branch there.
  Status motion(const T& t, const Vector<T>& q, Vector<T>& v, Vector<T>& a, Vector<T>& lambda, Statistics& statistics);

 private:
  Status linearize() override;
  Status evaluate() override;
  void correct(const T& relaxation) override;
  T residual_size() override { return size(C_); }
  T correction_size() override;
  T size(const Vector<T>& x) const;

  MechanicalModel<T>& model_;
  NewtonSettings<T> settings_;
  Norm norm_;
  DenseLu<T> lu_, transposed_lu_;
  Matrix<T> M_;
  Vector<T> q_, C_, correction_, zero_;
  T t_{0};
  Statistics* statistics_ = nullptr;
};

}  // namespace daelab
