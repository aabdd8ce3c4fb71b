// What a recording must fulfil, and what its expressions depend on.
#pragma once

#include <span>

#include "core/mechanism/level.hpp"
#include "core/mechanism/recording.hpp"

namespace daelab {

/// What record() must have left. Throws std::logic_error: these are mistakes of a problem file in C++; those in JSON
/// are found before, with their place.
void check_recording(const Recording& r);

/// Whether some of these depend on a multiplier, or on an algebraic state beside coordinates.
bool depends_on_multipliers(const Recording& r, std::span<const Expression> list);

/// Whether the equations of motion and rates have t in them.
bool depends_on_time(const Recording& r);

/// The highest level of what they depend on: of multipliers that of accelerations, of velocities and differential
/// states that of velocities. Algebraic states do not count.
Level level_of(const Recording& r, std::span<const Expression> list);

/// What events look at and what follows from them, algebraic states left out of that.
Expressions event_expressions(const Recording& r);

/// The differential ones, of a list with an entry for each state.
Expressions without_algebraic(Expressions states, const Recording& r);

}  // namespace daelab
