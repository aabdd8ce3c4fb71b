// Repeats: runs carried out again for their times alone, one after the other, with no other run beside them.
#pragma once

#include <optional>
#include <vector>

#include "lab/runs/cells.hpp"
#include "results/run_record.hpp"

namespace daelab {

/// The times of so many repeats, one at least: the least, and the longest wall time over the least. Nothing when
/// interrupted.
std::optional<RunTime> time_of_repeats(const BoundRun& run, int repeats);

/// Repeats the stored runs whose times are of fewer repeats than asked for, by the options or else by their configs,
/// and stores them anew: the same record under the same key, with other times. Leaves out references, runs that failed,
/// and kinds of runs that measure no times. Returns how many it repeated; fewer than there are when interrupted.
int repeat_runs(std::vector<Task>& tasks, const ScheduleOptions& options);

}  // namespace daelab
