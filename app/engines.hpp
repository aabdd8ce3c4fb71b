// --engine: where the runs of `daelab run` are carried out.
#pragma once

#include <string>
#include <vector>

#include "app/commands.hpp"
#include "lab/runs/schedule.hpp"

namespace daelab::app {

/// run_configs() by the engine that the arguments name. Throws InputError for one that does not exist, or not here, and
/// std::runtime_error where it ended before all runs were made and starting it again did not help.
ScheduleSummary run_by_engine(const std::vector<Config>& configs, ScheduleOptions options,
                              const RunArguments& arguments);

/// Whether this process is a rank of MPI that carries out what another one hands out.
bool is_worker(const RunArguments& arguments);
/// The exit code of such a process. What is wrong with configs is said by the manager alone.
int work_for_manager(const RunArguments& arguments);

/// "3/8". Throws InputError.
Shard read_shard(const std::string& text);

}  // namespace daelab::app
