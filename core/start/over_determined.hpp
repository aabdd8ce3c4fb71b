// Start values that cannot all be kept.
#pragma once

#include <string>

#include "core/mechanism/mechanical_model.hpp"
#include "core/mechanism/ordinary_model.hpp"
#include "core/start/start_options.hpp"

namespace daelab {

/// "" where the constraints leave free coordinates and velocities room to meet them with the fixed values of q0, v0 as
/// they are; else what is left over. (q, v) is the projection of (q0, v0). In double, by dense matrices.
std::string over_determined(MechanicalModel<double>& model, const StartValues& start, const Vector<double>& q0,
                            const Vector<double>& v0, const Vector<double>& q, const Vector<double>& v);

/// Overload for first-order states and hidden constraints.
std::string over_determined(OrdinaryModel<double>& model, const StartValues& start, const Vector<double>& s0,
                            const Vector<double>& s);

}  // namespace daelab
