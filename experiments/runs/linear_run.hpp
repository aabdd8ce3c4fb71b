// A linear run: one linear problem x multiplier solver x scalar, as experiments on linear problems make them.
//
// The solver named solves A0 x = b0 first, so that whatever it keeps from one solve to the next is that of the known
// system, and then A x = b. What the theory says of the symmetric rank-one iteration is measured beside it on the
// literal iteration started from the exact A0^+, whatever the solver (analysis/sr1_properties.hpp).
#pragma once

#include "core/base/exact.hpp"
#include "core/base/options.hpp"
#include "experiments/runs/run_kind.hpp"

namespace daelab {

struct LinearRunSpec {
  Json problem;
  std::string scalar = "double";
  Exact eps_abs = "1e-10";
  std::string skip = "eps-abs-squared";
  int max_passes = 100;
  Json multiplier_solver;  // null: the iteration itself, sr1-paper with the settings above

  Options options();
};

/// Record: "status" and "cause" of the solver, "report" (its last solve, with "x" and "error", |x - A^+ b| / |A^+ b|),
/// and "properties".
const RunKind& linear_runs();

}  // namespace daelab
