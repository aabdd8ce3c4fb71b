// What a model that is given as text is asked when it is read.
#pragma once

#include <string>

#include "core/base/exact.hpp"
#include "core/mechanism/mechanical_model.hpp"

namespace daelab {

/// Throws InputError under `where` for a mass matrix that is not symmetric, at the start or near it, with the two
/// entries; for one that is negative on some motion at the start, with its eigenvalue. It may be singular: constraints
/// may leave no motion that has no inertia.
void check_mass(MechanicalModel<double>& model, const std::string& where);

/// The power of ten from the largest start value up, at most 1: below 1, absolute errors that are small beside 1 are
/// not small beside the motion. Of a motion that begins at zero it follows from its first derivatives and its length in
/// time.
Exact size_of_start(Model<double>& model, double length);

}  // namespace daelab
