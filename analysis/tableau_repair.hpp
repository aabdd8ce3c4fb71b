// The nearest repair of a Runge-Kutta tableau that has not the order it claims: what makes the claim true, if one slip
// of a copyist explains it.
//
// Tried are: c for the sums of rows, b for the embedded weights, one entry (its value follows from the conditions),
// which may be its sign, a digit or a factor, two entries of a row or of weights exchanged, a row reversed, two rows
// exchanged, all rows reversed. Candidates are looked for in double; what is suggested was proved in full precision.
#pragma once

#include <string>
#include <vector>

#include "core/integration/tableau.hpp"

namespace daelab {

struct RepairGoal {
  int order = 0, embedded_order = 0;  // 0: nothing is claimed
};

struct Repair {
  std::string text;  // "/A/3/1: -212/729 in the place of 212/729, the other sign: order 5, embedded order 4"
  Tableau tableau;
};

/// The likeliest ones first, at most three; none where no single slip explains the claim.
std::vector<Repair> nearest_repairs(const Tableau& tableau, const RepairGoal& goal);

}  // namespace daelab
