// Round-off that constraints make of the values they fix.
#pragma once

#include "core/equations/system.hpp"

namespace daelab {

/// Round-off of values that are solved for: ten units, since a residual is the sum of several terms. Of 123 000
/// corrections that stood still 98 % were below 3 units, 99.96 % below 10 (docs/newton.md).
template <class T>
T round_off_of_solutions() {
  return T(10) * epsilon<T>();
}

/// Whether corrections of slopes (N, stages) in a step of size h, at the iterate `values` (N, stages), are no larger
/// than round-off makes them. Constraints fix values to the round-off of the largest one: components near zero have it,
/// too, and it may be more than is tolerated of them. Slopes times h have `amplified` times as much. On index 3
/// velocities have that of positions over h: positions decide. False on index 0 and 1, where no constraint amplifies.
template <class T>
bool are_round_off(const auto& corrections, const auto& values, const T& h, const System<T>& system,
                   const T& amplified) {
  const Index positions = system.positions(), differential = system.differential();
  if (system.index() < 2 || (positions == 0 && system.index() > 2)) return false;
  const T unit = amplified * round_off_of_solutions<T>();
  const auto within = [&](Index first, Index count) {
    return h * corrections.middleRows(first, count).cwiseAbs().maxCoeff() <=
           unit * values.middleRows(first, count).cwiseAbs().maxCoeff();
  };
  if (positions == 0) return within(0, differential);
  return within(0, positions) && (system.index() == 3 || within(positions, differential - positions));
}

/// Differential components of x := what round-off is of y, multiplied: constraints hand on that of the largest position
/// to all positions, and that of the largest of the others.
template <class T>
void set_round_off(const System<T>& system, const Vector<T>& y, const T& of_positions, const T& of_others,
                   Vector<T>& x) {
  const auto set = [&](Index first, Index count, const T& factor) {
    if (count == 0) return;
    x.segment(first, count).setConstant(factor * epsilon<T>() * y.segment(first, count).cwiseAbs().maxCoeff());
  };
  set(0, system.positions(), of_positions);
  set(system.positions(), system.differential() - system.positions(), of_others);
}

}  // namespace daelab
