// Files that the user names, which may be pipes and devices.
#pragma once

#include <cstddef>
#include <string>

namespace daelab {

/// All bytes of a file, or of a pipe or device until it ends. It waits for a pipe until somebody asks the work of this
/// thread to stop: throws Interrupted then, and InputError for what cannot be read, or has more than `most` bytes.
std::string read_whole(const std::string& path, std::size_t most);

}  // namespace daelab
