// Where the project's own data live: *.json below methods/, results/reference, results/published, experiments.
#pragma once

#include <string>
#include <vector>

namespace daelab {

/// The project's root folder: the environment variable DAELAB_ROOT, else the source folder of the build.
std::string project_root();

/// A path below the root.
inline std::string project_path(const std::string& relative) { return project_root() + "/" + relative; }

/// Why a text cannot name a result set, which is a folder: "" where it can.
std::string folder_name_refusal(const std::string& name);

/// *.json of a folder and of the folders in it, sorted.
std::vector<std::string> json_files_below(const std::string& folder);

}  // namespace daelab
