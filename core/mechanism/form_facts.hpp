// Sizes and properties of the equations of one mode.
#pragma once

#include <vector>

#include "core/mechanism/level.hpp"
#include "core/mechanism/recording.hpp"

namespace daelab {

/// Here n counts the coordinates and the integrals of first-order states behind them, as
/// core/mechanism/mechanical_model.hpp has it: q, v and a have length n, the states are at the end of v, and the rows
/// of their rates are M = 1, Q = f. Algebraic states beside coordinates are at the end of the multipliers, l in all.
struct FormFacts {
  /// Sizes, by counting.
  explicit FormFacts(const Recording& recording);

  int coordinates, states;  // without the other ones
  int algebraic_states, differential_states;
  int holonomic, nonholonomic, constraints;  // p, m - p, m
  bool is_mechanical, is_linearly_implicit;
  int extended;     // n; 0 without coordinates
  int multipliers;  // l

  // Set by MechanicalForms.
  bool has_linear_equations = true;   // see MechanicalModel; ordinary models have no equations that are not
  bool observes_multipliers = false;  // observables depend on multipliers or algebraic states
  Level algebraic_level{};            // see MechanicalModel
  // Set for either kind.
  bool events_hold_multipliers = false;  // so do event functions, or what follows from events

  // Set by FirstOrderForms, for models without coordinates.
  int index = 0;                     // the index of differentiation
  int hidden_constraints = 0;        // what the differential states satisfy
  std::vector<int> constraint_rows;  // rows of M without entries, of linearly implicit equations
};

}  // namespace daelab
