// From a specification to a run, for programs.
#pragma once

#include <memory>

#include "core/base/context.hpp"
#include "lab/runs/run.hpp"

namespace daelab {

/// Completes a specification and makes what it names, from all that is registered: integrate() carries the run out.
/// Throws InputError, whose where() is a key of the specification, /method/s, for one that no run can be made of.
///
///   RunSpec spec;
///   spec.problem = "pendulum", spec.method = "gauss:s=3", spec.h = "1/100";
///   const RunRecord record = bind(spec)->integrate().record;
std::shared_ptr<const Run> bind(const RunSpec& spec);
/// Overload for a specification as it is written: {"problem": "pendulum", "method": "gauss:s=3", "h": "1/100"}. Calls
/// one after another share what they have in common, as the runs of a config do.
std::shared_ptr<const Run> bind(const Json& spec);
/// Overload for another context than that of this thread. integrate() works in it too, on whichever thread it is
/// called, so the context has to outlive the run.
///
///   Context context = Context::process();
///   context.evaluator = Evaluator::interpreter;
///   const auto run = bind(spec, context);  // context.interrupt.request(), by any thread, ends run->integrate()
std::shared_ptr<const Run> bind(const RunSpec& spec, const Context& context);
std::shared_ptr<const Run> bind(const RunSpec& spec, const Context&& context) = delete;

}  // namespace daelab
