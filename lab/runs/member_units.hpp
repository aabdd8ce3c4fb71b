// Units of the numbers in an analysis, which are written beside them.
#pragma once

#include <string>
#include <vector>

#include "core/base/json.hpp"

namespace daelab {

/// Where numbers of one unit are in a Result as JSON: a pointer in which "*" is any key or index.
struct MemberUnit {
  std::string pointer, unit;
};
using MemberUnits = std::vector<MemberUnit>;

/// {"/series/*/points/*/h": "s"}. What is not named is a plain number, or has the unit of a component of the problem.
Json units_json(const MemberUnits& units);

/// The times of a RunTime or of RunStatistics at this place [s], with others.
MemberUnits with_run_times(const std::string& at, MemberUnits others);

}  // namespace daelab
