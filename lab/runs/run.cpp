#include "lab/runs/run.hpp"

#include <cmath>

#include "core/base/context.hpp"
#include "lab/runs/run_builder.hpp"

namespace daelab {

Run::Run(RunSpec spec, Json json, std::shared_ptr<const Parts> parts)
    : SpecifiedRun(std::move(json)), spec_(std::move(spec)), parts_(std::move(parts)) {}

std::shared_ptr<const Run> Run::of(RunSpec spec, const std::string& where, const Context* context) {
  const Context::Scope scope(context != nullptr ? *context : Context::current());
  spec.check(where);
  const auto run = RunBuilder().build(std::move(spec), where);
  run->context_ = context;
  return run;
}

std::shared_ptr<const Run> Run::bind(const Json& json, const std::string& where) {
  return RunBuilder().build(read_run_spec(json, where), where);
}

std::unique_ptr<RunBinder> Run::binder() { return std::make_unique<RunBuilder>(); }

// The stored reference that the error of the record is measured against.
Json Run::inputs() const { return references().stored(t_end()); }

double Run::expected_cost() const {
  // With error control a guess: a step of order 3 for each cube root of the tolerance.
  const double steps = spec_.adaptive() ? 100 / std::cbrt(spec_.rtol->as<double>())
                                        : static_cast<double>(length()) / spec_.h->as<double>();
  return steps * (spec_.scalar == Scalar::binary64 ? 1 : 100);
}

RunOutcome Run::execute() const {
  Outcome outcome = integrate();
  return {outcome.record, std::move(outcome.trajectory), outcome.interrupted};
}

const Run& integration(const Config& config, std::size_t i) { return static_cast<const Run&>(*config.runs[i]); }

const RunKind& Integrations::kind() { return run_kind_of<Run, RunSpec>(); }

}  // namespace daelab
