// Where the project's own data live: methods/*.json, results/reference, results/published, experiments.
#pragma once

#include <string>

namespace daelab {

/// The project's root folder: the environment variable DAELAB_ROOT, else the source folder of the build.
std::string project_root();

/// A path below the root.
inline std::string project_path(const std::string& relative) { return project_root() + "/" + relative; }

}  // namespace daelab
