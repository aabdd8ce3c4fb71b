// Why a run ends at an event that does not stop it.
#pragma once

#include "core/equations/mechanical_layout.hpp"
#include "core/integration/state.hpp"

namespace daelab {

/// Positions and velocities after a jump must be as consistent as a start has to be, or no less so than before the
/// event. Returns inconsistent, with the rows named.
template <class T>
Status check_jump(Model<T>& model, const Event& event, const State<T>& before, const Vector<T>& after);

/// An event that took place so often, the last times at intervals shorter than `shortest`: chattering, with the time
/// at which its times accumulate, and what helps.
Status chattering(const Event& event, long count, int intervals, double shortest, double end);

}  // namespace daelab
