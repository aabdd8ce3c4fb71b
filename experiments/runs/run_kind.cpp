#include "experiments/runs/run_kind.hpp"

#include <cmath>

#include "experiments/runs/run_sources.hpp"
#include "results/store.hpp"

namespace daelab {
namespace {

Json integration_schema() { return RunSpec{}.options().schema(); }

double integration_cost(const Json& spec) {
  const auto value = [&spec](const char* key) { return Exact(spec[key].get<std::string>()).as<double>(); };
  // With error control a guess: a step of order 3 for each cube root of the tolerance.
  const double steps = spec["rtol"].is_null() ? value("t_end") / value("h") : 100 / std::cbrt(value("rtol"));
  return steps * (spec["scalar"] == "real50" ? 100 : 1);
}

}  // namespace

Json RunKind::sources(const Json& resolved) const { return run_sources(resolved, file); }

std::string RunKind::key(const Json& resolved) const {
  return make_run_key(resolved, sources(resolved), inputs ? inputs(resolved) : Json());
}

const RunKind& integration_runs() {
  static const RunKind kind{resolve_run, execute, integration_schema, integration_cost, error_reference};
  return kind;
}

}  // namespace daelab
