// Invariants that runs measure by themselves, so that no recording declares them.
#pragma once

#include <array>
#include <string_view>

namespace daelab {

/// The energy, and the constraints on their three levels.
inline constexpr std::array<std::string_view, 4> measured_invariants{"energy", "position_constraint",
                                                                     "velocity_constraint", "acceleration_constraint"};

}  // namespace daelab
