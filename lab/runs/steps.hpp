// Step sizes and tolerances of runs, as their specifications say.
#pragma once

#include <string>

#include "lab/runs/config.hpp"
#include "lab/runs/run.hpp"

namespace daelab {

/// 1E-6 or 2.5E-4 for "1e-6" or "1/4000".
std::string tolerance_text(const Exact& tolerance);

/// "h = 1/100", or "rtol = 1E-6, atol = 1E-8".
std::string steps_text(const RunSpec& spec);

/// The step next to "h" that divides the interval of this length of a run with fixed steps, "1/33"; empty when h itself
/// does, to 1e-9 of the length.
std::string nearest_dividing_step(const RunSpec& spec, const Real100& length);

/// Takes step size and tolerances out of a resolved run, for groups of runs (config.hpp); "steps" says which it had.
void leave_out_steps(Json& spec);

/// Throws InputError under `where` when a run of the config has error control; `who` needs fixed steps.
void require_fixed_steps(const Config& config, const std::string& where, const std::string& who);

}  // namespace daelab
