// The equations of a problem for enclosures of its motion: as a task of the module, and as text, which is what a
// certificate states.
//
// Unknowns are q, v, differential states, algebraic states. Accelerations and multipliers follow from
//
//   M a + C_q^T lambda + G_v^T mu = Q,  C_q a = -d(C_q v + C_t)/dt at a = 0,  G_v a = -dG/dt at a = 0,
//
// with independent rows of the constraints alone, and algebraic states from equations that are differentiated until
// they hold them; their rates from another derivative.
#pragma once

#include <string>
#include <vector>

#include "core/mechanism/problem.hpp"
#include "core/start/start_options.hpp"
#include "modules/enclosures/enclosures.hpp"

namespace daelab {

struct EnclosedEquations {
  EnclosureTask task;              // without end and digits
  Json equations, given;           // of a certificate; given: start values as texts
  std::vector<std::string> fixed;  // names of unknowns that keep their start values
  std::size_t coordinates = 0;
  std::vector<int> independent;  // constraints, by their place among all
  std::size_t constraints = 0;
};

/// Throws InputError for problems that have no such equations: those given by functions, with samplings, with forces
/// that depend on multipliers, with coordinates on groups.
EnclosedEquations enclosed_equations(const Problem& problem, const StartValues& start);

}  // namespace daelab
