// How often this program has allocated.
#pragma once

namespace daelab {

/// Allocations of this thread so far: malloc and its relatives of this program count and pass on to glibc; operator new
/// and Eigen end there. 0 under the address sanitizer, which owns malloc itself.
long allocations();

}  // namespace daelab
