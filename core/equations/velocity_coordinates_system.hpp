// Maggi's equations: as many quasi-velocities as degrees of freedom, and all coordinates.
//
//   q' = L(t, q, u),  u' = B a(t, q, L),  lambda = lambda(t, q, L),   u = B v,                                   [LB08]
//
// with L the velocities with B L = u and J L + C_t = 0, G = 0: L = V u + w with J V = 0. C_q v + C_t = 0 holds at every
// stage, C = 0 drifts. They are written on y = (q, v, lambda) of the mechanism,
//
//   q' = L(t, q, v),  v' = a(t, q, L(t, q, v)),
//
// and the velocities of every step end are lifted; why that is the method on (q, u) says
// core/equations/local_coordinates_system.hpp. B is chosen anew at the start of each step.
//
// [LB08] Laulusa, Bauchau, Review of classical approaches for constraint enforcement in multibody systems, Journal of
// Computational and Nonlinear Dynamics 3(1), 2008, 011004.
#pragma once

#include "core/equations/local_coordinates.hpp"
#include "core/equations/mechanical_system.hpp"

namespace daelab {

template <class T>
class VelocityCoordinatesSystem final : public ConstrainedSystem<T> {
 public:
  VelocityCoordinatesSystem(MechanicalModel<T>& model, LocalBasis basis, Multipliers<T>& multipliers);

  /// Not a number where there are no velocities L; resolved_residual() says why.
  void residual(const T& t, const Vector<T>& y, const Vector<T>& ydot, Vector<T>& F) override;
  /// (q' - L, v' - a, lambda - lambda(L))
  Status resolved_residual(const T& t, const Vector<T>& y, const Vector<T>& ydot, Vector<T>& F) override;
  std::unique_ptr<Linearization<T>> linearization() override;
  Status consistent_derivatives(const T& t, Vector<T>& y, Vector<T>& ydot) override;
  Status start_step(const T& t, const T& h, const Vector<T>& y) override;
  Status project(const T& t, Vector<T>& y) override;
  bool projects() const override { return layout_.m > 0; }
  bool stabilizes() const override { return true; }

 private:
  Status choose(const T& t, const Vector<T>& y);

  LocalBasis basis_;
  MechanicalLayout layout_;
  LocalCoordinates<T> coordinates_;
  Vector<T> lifted_, q_, v_;
};

}  // namespace daelab
