// Warnings that follow from where a run began and where it ended.
#pragma once

#include "core/integration/method.hpp"
#include "lab/runs/run.hpp"

namespace daelab {

/// The largest size of coordinates, velocities and first-order states.
template <class T>
double largest_value(const Model<T>& model, const State<T>& state);

/// loose-atol: where not a digit is asked for, of components that matter, or of a motion no larger than `size`.
std::optional<Warning> atol_warning(const Run& run, double size);

/// negative-mass: where the mass matrix is, at the end of the run, negative on some motion.
template <class T>
std::optional<Warning> mass_warning(Model<T>& model, const State<T>& state);

}  // namespace daelab
