// Files of reference solutions (results/reference.hpp says what is in them) as programs see them that write them.
//
// A state that was stored because it is proved has its own "route". Keys of "proved": "digits"; "certificate", unless
// it is too large for the repository; "steps", "cpu_seconds" and "check_seconds" of proof and checker; "condition" and
// "relative_condition" of the motion; "off_by", the largest difference of the numbers stored to the centre.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/base/json.hpp"

namespace daelab {

/// The solutions of a file, checked: its own, then those of other parameters. Throws InputError with the place of what
/// is malformed.
std::vector<Json> read_solutions(const std::string& path);

Json without_end(Json problem);
/// What runs say of their start to be measured against the solution.
Json start_of_solution(const Json& solution);

/// The solution of a problem and start in a file, null if it has none, and its place: 0 is the file itself, the
/// others are its variants.
struct PlacedSolution {
  std::size_t place = 0;
  Json solution;
};
PlacedSolution placed_solution(const std::string& path, const Json& problem, const Json& start);

/// Where runs look for solutions of a problem that is given as they name it.
std::string usual_reference_path(const Json& given, const std::string& name);

}  // namespace daelab
