// The result of the experiment `multiplier-system`: A = C_q M^-1 C_q^T along runs.
#pragma once

#include <vector>

#include "experiments/measures/sampled_system.hpp"

namespace daelab {

struct MultiplierSystemResult {
  std::vector<SampledSystem> systems;
};

/// {"series": the systems}: what claims point into.
void members(JsonMembers& json, MultiplierSystemResult& result);

}  // namespace daelab
