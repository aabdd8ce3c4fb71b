// start, for problems without coordinates.
#pragma once

#include "core/base/json.hpp"
#include "core/mechanism/problem.hpp"
#include "core/start/start_options.hpp"

namespace daelab::app {

/// The index, how far the start is off each hidden constraint, and (y, y') at the start: y moved onto them where it is
/// off, with the algebraic states that belong to it. Prints JSON or lines. Returns 0, or 1 where there is no consistent
/// start.
int start_of_states(const Problem& problem, OrdinaryModel<double>& model, const StartValues& values, bool json);

}  // namespace daelab::app
