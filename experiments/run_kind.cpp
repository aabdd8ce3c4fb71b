#include "experiments/run_kind.hpp"

namespace daelab {
namespace {

Json integration_schema() { return RunSpec{}.options().schema(); }

double integration_cost(const Json& spec) {
  const double steps = Exact(spec["t_end"].get<std::string>()).as<double>() /
                       Exact(spec["h"].get<std::string>()).as<double>();
  return steps * (spec["scalar"] == "real50" ? 100 : 1);
}

}  // namespace

const RunKind& integration_runs() {
  static const RunKind kind{resolve_run, execute, integration_schema, integration_cost};
  return kind;
}

}  // namespace daelab
