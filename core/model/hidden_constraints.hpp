// Start values of differential-algebraic equations of index 2 and 3: they must satisfy the hidden constraints.
#pragma once

#include "core/base/status.hpp"
#include "core/model/ordinary_model.hpp"

namespace daelab {

/// H (l) at the start time and s (k).
Vector<double> hidden_residuals(OrdinaryModel<double>& model, const Vector<double>& s);

/// Moves the differential states at the start time onto the hidden constraints by the least change, by Gauss and
/// Newton's method. newton_diverged where that does not converge.
template <class T>
Status project_onto_hidden_constraints(OrdinaryModel<T>& model, Vector<T>& s);

}  // namespace daelab
