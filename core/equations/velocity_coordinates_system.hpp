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

#include "core/equations/lifted_system.hpp"

namespace daelab {

template <class T>
class VelocityCoordinatesSystem final : public LiftedSystem<T> {
 public:
  using LiftedSystem<T>::LiftedSystem;

 private:
  Status choose(LocalCoordinates<T>& coordinates, const T& t, const Vector<T>& q, const Vector<T>& v) override;
  Status lift(LocalCoordinates<T>& coordinates, const T& t, Vector<T>& q, Vector<T>& v) override;
  std::unique_ptr<Linearization<T>> lifted_linearization(LocalBasis basis, const LocalCoordinates<T>& of_steps,
                                                         std::unique_ptr<Linearization<T>> of_index_1) override;
};

}  // namespace daelab
