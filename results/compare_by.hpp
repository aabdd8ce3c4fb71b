// Runs that differ in one key alone, such as two methods over one grid, by the ratios of their errors and work.
#pragma once

#include <string>
#include <vector>

#include "results/artifacts.hpp"

namespace daelab {

/// Rows for the pairs of runs of these result sets: settings of the pair, the value of the key beside the
/// first one's, and the second run's errors and work over the first one's; below the geometric means for each value.
/// Keys that follow from the value of this one, as a formulation that each method chooses, need not agree. Cells are
/// empty where a run failed or has no such number. Throws InputError where no run has the key, or no two runs differ in
/// it alone. Records are read one by one.
Table ratios_by(const std::string& key, const std::vector<std::string>& dirs);

}  // namespace daelab
