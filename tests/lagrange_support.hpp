// Lagrange's equations as an oracle for forces written by hand: differences in 50 digits of the mass matrix and of
// the energies of a model.
#pragma once

#include "tests/numeric_support.hpp"

namespace daelab {

/// What M a = Q asks for where V holds all forces: Q = T_q - V_q - (dM/dt) v, T = v^T M v / 2.
inline Vector<Real50> lagrange_force(MechanicalModel<Real50>& model, const Real50& t, const Vector<Real50>& q,
                                     const Vector<Real50>& v) {
  const Index n = model.coordinates();
  const auto momentum = [&](const Vector<Real50>& x) {
    Matrix<Real50> M(n, n);
    model.mass(t, x, M);
    return Vector<Real50>(M.lazyProduct(v));
  };
  const auto lagrangian = [&](const Vector<Real50>& x) {
    return Vector<Real50>::Constant(1, v.dot(momentum(x)) / 2 - model.energy(t, x, v).potential);
  };
  const Vector<Real50> change = derivative(Real50(0), [&](const Real50& s) { return momentum(q + v * s); });
  return Vector<Real50>(difference(q, lagrangian).row(0).transpose()) - change;
}

}  // namespace daelab
