// What a pack lacks before it can be given to others.
#pragma once

#include <string>
#include <vector>

#include "results/claims.hpp"
#include "results/packs.hpp"

namespace daelab {

struct PackRemark {
  std::string place, what;  // "claims/table-1/x"; what is wrong there, and what to do
};

/// Keys that others need and that are missing or empty; entries about other sets than `sets`, which its configs make.
std::vector<PackRemark> remarks_on_file(const Pack& pack, const std::vector<std::string>& sets);

/// Entries whose value is not in the results, whose verdict is another one than expected, or that are printed with more
/// digits than round-off leaves (results/round_off.hpp).
std::vector<PackRemark> remarks_on_values(const Json& entries, const ResultLookup& results);

}  // namespace daelab
