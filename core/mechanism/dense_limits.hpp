// Up to which size matrices of mechanisms are dense.
#pragma once

#include "core/base/scalar.hpp"

namespace daelab {

/// Coordinates and constraints of a mechanism that is analysed, and its multipliers are solved for, by sparse matrices
/// when it has more. Not much slower than dense ones by then, and far from what is studied for its redundant
/// constraints.
inline constexpr Index largest_dense_mechanism = 300;
/// With more unknowns what needs dense matrices is refused: a factorisation would take seconds.
inline constexpr Index most_dense_unknowns = 2000;

}  // namespace daelab
