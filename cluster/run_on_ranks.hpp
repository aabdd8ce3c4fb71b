// Configs on the ranks of one mpirun.
#pragma once

#include <vector>

#include "cluster/ranks.hpp"
#include "lab/runs/config.hpp"
#include "lab/runs/schedule.hpp"

namespace daelab {

/// On the manager: hands cells to the workers, takes them as they come back. Where a rank failed, or reads another
/// config or was built from other sources than the manager, it throws std::runtime_error.
Engine engine_of(Ranks& ranks);

/// On every other rank, with the same configs: carries out what the manager hands out, until there is no more.
void serve_manager(Ranks& ranks, const std::vector<Config>& configs);

}  // namespace daelab
