// The linear systems of a mechanical system with the constraints at one level (see mechanical_system.hpp).
#pragma once

#include <memory>

#include "core/accelerations/acceleration_solver.hpp"
#include "core/equations/system.hpp"
#include "core/solvers/redundant_rows.hpp"

namespace daelab {

/// Without redundant constraints, `redundant` is null.
template <class T>
std::unique_ptr<Linearization<T>> make_mechanical_linearization(MechanicalModel<T>& model, Level level,
                                                                const BaumgarteGains<T>& gains,
                                                                RedundantRows<T>* redundant);

}  // namespace daelab
