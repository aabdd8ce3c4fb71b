// What a results folder holds for the report, checked: it may come from elsewhere, or have been damaged since.
#pragma once

#include <string>

#include "results/artifacts.hpp"

namespace daelab {

/// result.json of a result set. Throws InputError, naming the place, where it is missing or malformed, where two tables
/// or figures would be the same file, and for a curve whose file is not inside the folder, or not as it was written.
Artifacts read_artifacts(const std::string& result_dir);

}  // namespace daelab
