// Start values of differential-algebraic equations of index 2 and 3: they must satisfy the hidden constraints.
#pragma once

#include "core/base/status.hpp"
#include "core/mechanism/ordinary_model.hpp"

namespace daelab {

/// H (l) at the start time and s (k).
Vector<double> hidden_residuals(OrdinaryModel<double>& model, const Vector<double>& s);

/// Moves the states at the start time onto the hidden constraints, by the least change, weighted where there are
/// weights (k). Where a matrix of the rates is singular and nothing is weighted, M s keeps its value: what has a
/// derivative stays, as the equations without derivatives determine the rest. By Newton's method. newton_diverged where
/// it does not converge, singular where the equations do not determine the rest.
template <class T>
Status project_onto_hidden_constraints(OrdinaryModel<T>& model, Vector<T>& s, const Vector<T>& weights = {});

}  // namespace daelab
