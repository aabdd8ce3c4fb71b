// Bound above which mechanisms are too large for dense matrices.
#pragma once

#include <fmt/format.h>

#include "core/integration/method.hpp"
#include "core/mechanism/dense_limits.hpp"

namespace daelab {

/// Refuses methods with dense matrices: a factorisation of so many unknowns takes seconds. Throws NotApplicable.
inline void refuse_large(const char* method, Index unknowns) {
  if (unknowns > most_dense_unknowns)
    throw NotApplicable(
        fmt::format("{0} factorises dense matrices of at most {2} unknowns, here {1}: use bdf, radau-iia or "
                    "generalized-alpha for large mechanisms",
                    method, unknowns, most_dense_unknowns));
}

}  // namespace daelab
