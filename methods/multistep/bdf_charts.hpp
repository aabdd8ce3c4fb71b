// The past of BDF in other coordinates.
#pragma once

#include "core/integration/method.hpp"
#include "methods/multistep/bdf_formula.hpp"

namespace daelab {

/// Brings past positions, velocities and, where the state has them from this index on (0: it has none), accelerations
/// to other coordinates, in place. y is the last state and n the number of coordinates; multipliers stay as they are.
template <class T>
void change_coordinates(BdfHistory<T>& history, const Vector<T>& y, Index n, Index accelerations,
                        CoordinateChange<T>& change);

}  // namespace daelab
