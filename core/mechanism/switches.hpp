// What time does to the equations of a recording: the conditions, signs and kinks in them, and what drives them
// smoothly.
#pragma once

#include "core/mechanism/recording.hpp"

namespace daelab {

/// Functions of a recording that pass zero where its equations change, as far as they depend on time.
struct Switches {
  Expressions of_time;    // depend on time alone
  Expressions of_motion;  // on coordinates, velocities, states or held outputs, too
  Expressions drives;     // terms of the equations that depend on time alone and have no switch: the largest ones
  bool others = false;  // some depend on time and on multipliers or algebraic states, which dense output does not have
};

/// Operands of comparisons, signs, absolute values, minima, maxima and floors in the equations of motion; observables
/// are left out. Called while the graph of the recording is current.
Switches switches_of(const Recording& recording);

/// A function of time alone, and its derivative by time, in a graph of their own.
struct Drive {
  explicit Drive(const Graph& graph, const Expression& function);
  Graph graph;
  Expression value, slope;
};

/// Whether dense output has all that an expression depends on.
bool is_of_motion(const Recording& recording, const Expression& x);

}  // namespace daelab
