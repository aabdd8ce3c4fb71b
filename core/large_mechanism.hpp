// Where mechanisms are too large for dense matrices.
#pragma once

#include <fmt/format.h>

#include "core/method.hpp"

namespace daelab {

/// Of methods that factorise dense matrices: with so many unknowns a factorisation takes seconds. Throws NotApplicable.
inline void refuse_large(const char* method, Index unknowns) {
  constexpr Index most = 2000;
  if (unknowns > most)
    throw NotApplicable(fmt::format("{} factorises dense matrices, of {} unknowns here, at most {}: bdf, radau-iia and "
                                    "generalized-alpha take large mechanisms", method, unknowns, most));
}

}  // namespace daelab
