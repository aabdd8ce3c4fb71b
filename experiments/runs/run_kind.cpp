#include "experiments/runs/run_kind.hpp"

#include "results/store.hpp"

namespace daelab {

std::string BoundRun::key() const { return make_run_key(json_, inputs()); }

}  // namespace daelab
