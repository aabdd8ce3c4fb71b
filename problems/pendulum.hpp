// The equations of a pendulum in Cartesian coordinates, without and with a wall.
#pragma once

#include "core/problem.hpp"

namespace daelab {

/// q = (x, y) [m],  M = m I [kg],  Q = (0, -m g) [N],  C = (x^2 + y^2 - L^2)/2 [m^2],
/// lambda = rod force per length [N/m].
template <class T>
struct PendulumModel {
  static constexpr int directions = 2;
  static constexpr bool constant_mass = true;
  T m, g, L;
  Vector<T> q0, v0;

  Index coordinates() const { return 2; }
  Index constraints() const { return 1; }
  Vector<T> initial_q() const { return q0; }
  Vector<T> initial_v() const { return v0; }

  template <class S>
  void mass(const S& /*t*/, const Vector<S>& /*q*/, Matrix<S>& M) const {
    M(0, 0) = S(m);
    M(1, 1) = S(m);
  }
  template <class S>
  void force(const S& /*t*/, const Vector<S>& /*q*/, const Vector<S>& /*v*/, Vector<S>& Q) const {
    Q[1] = S(-m * g);
  }
  template <class S>
  void constraint(const S& /*t*/, const Vector<S>& q, Vector<S>& C) const {
    C[0] = (q[0] * q[0] + q[1] * q[1] - S(L * L)) / T(2);
  }
  template <class S>
  Energy<S> energy(const S& /*t*/, const Vector<S>& q, const Vector<S>& v) const {
    return {m * (v[0] * v[0] + v[1] * v[1]) / T(2), m * g * q[1]};
  }
};

}  // namespace daelab
