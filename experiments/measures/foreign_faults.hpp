// What is wrong with tables of other programs, as far as it can be told: units, signs, names of columns, times beside
// step sizes.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "experiments/measures/foreign_results.hpp"

namespace daelab {

struct ForeignFaults {
  std::vector<std::string> wrong;  // with it nothing that is compared means what it says
  std::vector<std::string> notes;  // what is left out, missing or doubtful
};

/// An entry is in other units, or has another sign, where the end states of all runs say so and it is a leading one of
/// its class: a factor of units between it and the reference. What is merely far from the reference is doubtful.
/// Columns without a meaning are wrong where entries of the state have no column: these may be meant.
/// `name` is what the texts call the table.
ForeignFaults faults_of(const std::string& name, const ForeignResults& table,
                        const std::map<std::string, Vector<Real50>>& reference);

}  // namespace daelab
