// Loops on the threads of TBB, which work in the context of the caller meanwhile.
#pragma once

#include <cstddef>
#include <functional>

namespace daelab {

/// body(0), ..., body(count - 1), in any order and several at a time. What one throws is thrown here; some are
/// left out then.
void in_parallel(std::size_t count, const std::function<void(std::size_t i)>& body);

}  // namespace daelab
