// Run kinds: what the runs of an experiment are. Integrations in time by default (run.hpp); an experiment that
// computes something else from a JSON specification names its own kind.
#pragma once

#include <string>

#include "experiments/runs/run.hpp"

namespace daelab {

/// A kind as its functions. Specifications, records and keys are the kind's own, but for these: a specification that
/// is resolved stands under "spec" of its record, which carries "status" and "cause", and one with a "trajectory"
/// other than 0 makes a CSV file.
struct RunKind {
  /// Reads and completes a specification. Throws InputError under `where`.
  Json (*resolve)(const Json& run, const std::string& where);
  /// Carries out a resolved specification. A failed run is a record with its status and cause.
  RunOutcome (*execute)(const Json& resolved);
  /// JSON Schema of each key of a specification.
  Json (*schema)();
  /// Rough cost of a resolved specification in any unit, to start the long runs first.
  double (*expected_cost)(const Json& resolved);
  /// What a record depends on beside its specification and the code: data that may change. Most kinds: nothing.
  Json (*inputs)(const Json& resolved) = nullptr;
  /// Where the kind stands, whose code computes its records.
  const char* file = __builtin_FILE();

  /// What computes a run of this kind, and its name: see run_sources and make_run_key.
  Json sources(const Json& resolved) const;
  std::string key(const Json& resolved) const;
};

/// Time integrations: problem x formulation x method x step size x scalar.
const RunKind& integration_runs();

}  // namespace daelab
