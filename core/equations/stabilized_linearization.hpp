// The linear systems of the stabilised forms (see stabilized_system.hpp).
#pragma once

#include <memory>

#include "core/equations/system.hpp"
#include "core/mechanism/mechanical_model.hpp"
#include "core/solvers/redundant_rows.hpp"

namespace daelab {

/// Without redundant constraints, `redundant` is null.
template <class T>
std::unique_ptr<Linearization<T>> make_stabilized_linearization(MechanicalModel<T>& model, Index levels,
                                                                RedundantRows<T>* redundant);

}  // namespace daelab
