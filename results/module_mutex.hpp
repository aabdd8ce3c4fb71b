// One thread at a time is in the modules that read and write arrays: HDF5, which several of them use, is not
// thread-safe.
#pragma once

#include <mutex>

namespace daelab {

std::mutex& module_mutex();

}  // namespace daelab
