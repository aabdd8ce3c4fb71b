// Whether accelerations depend on velocities, by the pattern of the equations.
#pragma once

#include "core/equations/system.hpp"
#include "core/mechanism/mechanical_model.hpp"

namespace daelab {

/// Of y = (q, v, ...) with q' = v: an equation other than that has velocities in it, in the present mode. Friction,
/// Coriolis forces, and constraints, whose second derivative has velocities in it unless they are linear.
template <class T>
bool accelerations_depend_on_velocities(System<T>& system, MechanicalModel<T>& model) {
  const Index n = system.positions();
  Vector<T> y = Vector<T>::Zero(system.size()), ydot = y;
  y.head(n) = model.initial_q(), y.segment(n, n) = model.initial_v();
  const auto linearization = system.linearization();
  linearization->evaluate(T(0), y, ydot);
  SparseMatrix<T> by_y, by_ydot;
  linearization->coupled(by_y, by_ydot);
  bool depends = false;
  by_y.visit([&](Index i, Index j, const T&) { depends |= i >= n && j >= n && j < 2 * n; });
  return depends;
}

}  // namespace daelab
