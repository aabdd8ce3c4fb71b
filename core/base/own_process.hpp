// Work in a process of its own: libraries that crash on files which are not as they must be.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace daelab {

/// What work may use that is done in a process of its own.
struct ProcessLimits {
  std::size_t result_bytes = std::size_t(1) << 30;
  std::size_t memory_bytes = std::size_t(2) << 30;  // beside what this process has
  unsigned seconds = 60;                            // of the processor
  double idle_seconds = 5;                          // without a result and without work of the processor
};

/// The text that `work` returns, which is done in a copy of this process with this thread alone. A copy that waits for
/// a lock which another thread held when it was made, as memory has under sanitizers, is made anew, up to three times.
/// The InputError of `work` is thrown here. Throws InputError, too, where it crashed or used more than it may, and
/// std::runtime_error once this thread's context was asked to stop.
std::string in_own_process(const std::function<std::string()>& work, const ProcessLimits& limits = {});

}  // namespace daelab
