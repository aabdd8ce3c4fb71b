// Where the build and its sources are. Asked at run time: an object file that names no folder serves every clone.
#pragma once

#include <string>

#include "core/base/paths.hpp"

namespace daelab {

/// A path below the folder of the sources.
inline std::string source_path(const std::string& relative) { return source_folder_of_build() + relative; }

/// The program of this build.
inline std::string built_program() { return program_part("daelab"); }

}  // namespace daelab
