// How fast the equations of a run are, for what its step sizes can show.
#pragma once

#include <optional>

#include "analysis/order_estimate.hpp"
#include "experiments/runs/run.hpp"

namespace daelab {

/// Of the equations that the run integrates, at its start and, where there is one, at a state that it came to: the
/// spectral radius of the derivatives of y' by y, as core/integration/spectral_radius.hpp estimates it. Nothing where
/// the equations hang on the step size, or have no derivatives at their start.
std::optional<FastestMode> fastest_mode(const Run& run, const std::optional<StateRecord>& end);

}  // namespace daelab
