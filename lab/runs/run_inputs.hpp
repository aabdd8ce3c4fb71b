// What the runs of a config read beside it.
#pragma once

#include <set>
#include <string>

#include "lab/runs/config.hpp"
#include "results/input_files.hpp"

namespace daelab {

/// The files that the config names, also by way of other files, as inputs_of() has them: source_name() of each.
std::set<std::string> named_files(const Config& config);

/// The files that the config names (@file.json, also in options and in files that it names), the tableaus among
/// `sources` (run_sources() of all runs), and the problems and stored references of the runs.
Inputs inputs_of(const Config& config, const Json& sources);

}  // namespace daelab
