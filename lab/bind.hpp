// From a specification to a run, for programs.
#pragma once

#include <memory>

#include "experiments/runs/run.hpp"

namespace daelab {

/// Completes a specification and makes what it names, from all that is registered: integrate() carries the run out.
/// Throws InputError, whose where() is a key of the specification, /method/s, for one that no run can be made of.
///
///   RunSpec spec;
///   spec.problem = "pendulum", spec.method = "gauss:s=3", spec.h = "1/100";
///   const RunRecord record = bind(spec)->integrate().record;
std::shared_ptr<const Run> bind(const RunSpec& spec);

}  // namespace daelab
