// The equations of a pendulum in Cartesian coordinates, without and with a wall.
#pragma once

#include "core/mechanism/problem.hpp"

namespace daelab {

/// q = (x, y) [m],  M = m I [kg],  Q = (0, -m g) [N],  C = (x^2 + y^2 - L^2)/2 [m^2],
/// lambda = rod force per length [N/m]. The start is left to the caller.
inline void record_pendulum(Recording& r, const Expression& m, const Expression& g, const Expression& L) {
  r.coordinates({"x", "y"});
  const auto &q = r.q, &v = r.v;
  r.mass(0, 0) = r.mass(1, 1) = m;
  r.force[1] = -m * g;
  r.constraints = {(square(q[0]) + square(q[1]) - square(L)) / 2};
  r.kinetic_energy = m * (square(v[0]) + square(v[1])) / 2;
  r.potential_energy = m * g * q[1];
}

/// Rod and mass, and beside them the direction of gravity.
inline void draw_pendulum(const Recording& r, const Expression& L, const Expression& beside, Outline& o) {
  const OutlinePoint origin{}, mass{r.q[0], r.q[1]};
  o.line({origin, mass});
  o.support(origin, "O");
  o.mass(mass, "m");
  o.arrow({beside, 0}, {beside, -L / 3}, "g");
}

}  // namespace daelab
