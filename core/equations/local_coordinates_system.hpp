// The equations of motion in local coordinates x = B q, w = B v of the constraints:
//
//   x' = w,  w' = B a(t, L(q, v)),  lambda = lambda(t, L(q, v)),
//
// with L the lift of core/equations/local_coordinates.hpp. They are written on y = (q, v, lambda) of the mechanism,
//
//   q' = v,  v' = a(t, L(q, v)),
//
// and every step end is lifted. Formulas of integrators are linear in y and y', and so is B: what a method makes of
// (q, v), multiplied by B, is what it makes of (x, w), stage by stage and iterate by iterate. So every explicit and
// every implicit method runs on local coordinates without knowing of them. B is chosen anew at the start of each step.
// Past values are positions and velocities of the mechanism, which every B takes its coordinates of: nothing has to be
// transformed, and a basis of the tangent space that turns from step to step does not matter.
//
// With nonholonomic constraints there are fewer w than x, and x' = B v instead of B L(v): their part is off by as much
// as v is off them within a step, which is the error of the method.
//
// Maggi's equations, and those of a velocity transformation, are w' = B a with the same w. [LB08]
//
// [LB08] Laulusa, Bauchau, Review of classical approaches for constraint enforcement in multibody systems, Journal of
// Computational and Nonlinear Dynamics 3(1), 2008, 011004.
#pragma once

#include "core/equations/formulation_traits.hpp"
#include "core/equations/lifted_system.hpp"

namespace daelab {

template <class T>
class LocalCoordinatesSystem final : public LiftedSystem<T> {
 public:
  using LiftedSystem<T>::LiftedSystem;
  /// (q' - v, v' - a, lambda - lambda(L))
  Status resolved_residual(const T& t, const Vector<T>& y, const Vector<T>& ydot, Vector<T>& F) override;
  Status consistent_derivatives(const T& t, Vector<T>& y, Vector<T>& ydot) override;

 private:
  using LiftedSystem<T>::layout_;
  Status choose(LocalCoordinates<T>& coordinates, const T& t, const Vector<T>& q, const Vector<T>& v) override;
  Status lift(LocalCoordinates<T>& coordinates, const T& t, Vector<T>& q, Vector<T>& v) override;
  std::unique_ptr<Linearization<T>> lifted_linearization(LocalBasis basis, const LocalCoordinates<T>& of_steps,
                                                         std::unique_ptr<Linearization<T>> of_index_1) override;
};

/// Facts of every form in local coordinates.
constexpr FormulationTraits local_coordinates_traits{
    .levels = {.position = true, .velocity = true, .acceleration = true},
    .state_space = true,
    .needs_linear_equations = true,
    .stabilized = true};

/// "" where a mechanism has local coordinates, otherwise why not.
template <class T>
std::string local_coordinates_refusal(MechanicalModel<T>& model);

}  // namespace daelab
