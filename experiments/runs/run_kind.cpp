#include "experiments/runs/run_kind.hpp"

#include "experiments/runs/run_sources.hpp"
#include "results/store.hpp"

namespace daelab {

Json RunKind::sources(const BoundRun& run) const { return run_sources(run.json(), file); }

std::string RunKind::key(const BoundRun& run, const Json& sources) {
  return make_run_key(run.json(), sources, run.inputs());
}

}  // namespace daelab
