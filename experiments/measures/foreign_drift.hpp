// Energy and constraints of what other programs computed.
#pragma once

#include <memory>
#include <optional>

#include "core/integration/observers.hpp"
#include "core/mechanism/state_names.hpp"
#include "experiments/measures/foreign_results.hpp"

namespace daelab {

/// Measures in double, over all states whose positions and velocities are known.
class ForeignDrift {
 public:
  /// Energy and constraints of the problem of this run.
  explicit ForeignDrift(const Run& run);

  /// Nothing where a state lacks something.
  std::optional<Maxima> measure(const ForeignRun& run);

 private:
  bool fill(const ForeignState& state);

  StateNames names_;
  bool conserves_;
  std::unique_ptr<MechanicalModel<double>> model_;
  std::optional<InvariantMeter<double>> meter_;
  State<double> state_;
  double start_energy_ = 0;
};

}  // namespace daelab
