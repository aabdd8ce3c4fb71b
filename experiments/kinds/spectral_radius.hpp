// The result of the experiment `spectral-radius`: methods on the damped oscillator over the step size.
#pragma once

#include <string>
#include <vector>

#include "lab/runs/oscillator_run.hpp"
#include "results/members.hpp"

namespace daelab {

struct SpectralRadiusResult {
  struct Entry {
    std::string label;
    OscillatorRecord record;
    Json spec;
    std::string key;  // of the record
  };
  std::vector<Entry> series;
};

/// {"series": [{"label", "rho_infinity", "stability_limit", "curves", ..., "spec", "key"}]}: what claims point into.
void members(JsonMembers& json, SpectralRadiusResult& result);

}  // namespace daelab
