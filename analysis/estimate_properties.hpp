// What the error estimate of a Runge-Kutta tableau sees, with its proof: see core/integration/blind_estimate.hpp.
#pragma once

#include "analysis/property.hpp"
#include "core/integration/tableau.hpp"

namespace daelab {

struct EstimateProperties {
  Property sees_time, sees_linear_problems;  // y' = f(t), y' = J y
};

/// Not applicable without embedded weights.
EstimateProperties estimate_properties(const Tableau& tableau);
/// Of other forms of methods.
EstimateProperties no_estimate_properties();

}  // namespace daelab
