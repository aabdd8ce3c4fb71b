// Forms for explicit methods alone, whose solutions stay on the constraints.
//
//   projected   index 1 in every stage; the end of a step is moved onto C = 0, then onto C_q v + C_t = 0 and G = 0:
//                 M (q - q*) + C_q^T mu = 0,  C(t, q) = 0;     M (v - v*) + J^T mu = 0,  J = C_q and G_v.  [Ren20, (88), (89)]
//   penalty     every f = 0 replaced by f' + chi f = 0: constraints are an attractor with the eigenvalue -chi,
//                 M q' + C_q^T mu = M v,  C_q q' = -C_t - chi C;
//                 M v' + J^T lambda = Q,  C_q v' = gamma - chi (C_q v + C_t),  dG/dt = -chi G.             [(91), (92)]
//
// [Ren20] Ren, Zhou, Journal of Dynamics and Control, 2020, doi 10.6052/1672-6553-2020-098.
#pragma once

#include "core/mechanical_system.hpp"

namespace daelab {

struct Projection {
  bool position = true, velocity = true;
  Real100 bound = 0;  // levels violated by less are left alone
};

template <class T>
class ProjectedSystem final : public ConstrainedSystem<T> {
 public:
  ProjectedSystem(MechanicalModel<T>& model, const Projection& projection, Multipliers<T>& multipliers);
  /// Newton's method with the matrix of the first iterate. Returns newton_diverged with the cause.
  Status project(const T& t, Vector<T>& y) override;

 private:
  Status project_position(const T& t);
  Status project_velocity(const T& t);
  T violation(const Vector<T>& row) const;

  Multipliers<T>& multipliers_;
  Projection projection_;
  T bound_;
  MechanicalLayout layout_;
  bool mass_is_known_ = false;
  Matrix<T> M_, J_;
  Vector<T> q_, v_, correction_, mu_, row_, zero_;
};

template <class T>
class PenaltySystem final : public ConstrainedSystem<T> {
 public:
  PenaltySystem(MechanicalModel<T>& model, const T& chi, Multipliers<T>& multipliers);
  Status complete(const T& t, Vector<T>& y, Vector<T>& ydot) override;

 private:
  Multipliers<T>& multipliers_;
  T chi_;
  MechanicalLayout layout_;
  Matrix<T> M_, J_;
  Vector<T> q_, v_, rate_, mu_, row_, momentum_, zero_;
};

/// The largest |eigenvalue| of the derivative of (v, a) with respect to (q, v) at the start, by central differences: to
/// about five digits.
template <class T>
double start_spectral_radius(MechanicalModel<T>& model);

}  // namespace daelab
