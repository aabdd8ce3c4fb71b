// Implicit Runge-Kutta methods of one family, among which error control chooses: a ladder of tableaus.
#pragma once

#include <vector>

#include "methods/runge_kutta/runge_kutta.hpp"

namespace daelab {

/// Fully implicit tableaus of rising order with distinct nodes; a run starts on the rung `start`. After each step that
/// passes, progress for work chooses the rung (order_progress.hpp); a step that fails goes on one rung down. The
/// decisions tell the order used, so that histories of steps show it. Fixed steps are not applicable.
/// Throws NotApplicable where the lowest rung does.
template <class T>
std::unique_ptr<Stepper<T>> make_variable_order_runge_kutta(const TableauLadder& ladder, System<T>& system,
                                                            const NewtonOptions& newton);

}  // namespace daelab
