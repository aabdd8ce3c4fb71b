// How fast the equations of a run are, for what its step sizes can show.
#pragma once

#include <optional>

#include "analysis/order_estimate.hpp"
#include "lab/runs/run.hpp"

namespace daelab {

/// Spectral radius of the derivatives of y' by y that the run integrates, at its start and at the state it came to, if
/// any, as core/integration/spectral_radius.hpp estimates it. Nothing if the equations depend on the step size or have
/// no derivatives at their start.
std::optional<FastestMode> fastest_mode(const Run& run, const std::optional<StateRecord>& end);

}  // namespace daelab
