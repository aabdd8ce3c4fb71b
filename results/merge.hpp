// Result sets of one config, computed in different places, made one.
#pragma once

#include <string>
#include <vector>

namespace daelab {

struct MergeSummary {
  int added = 0;                     // runs that the merged set did not have
  int present = 0;                   // those it had, with the same numbers
  int missing = 0;                   // runs that the sets ask for and none of them holds
  std::vector<std::string> damaged;  // runs left out, to be computed again: where, and what is wrong
};

/// Adds the runs of result sets, or of all sets below folders, to the set `to`, which is made where there is
/// none; it asks for all that they ask for. Sets of configs that differ, and numbers of a run that differ, are refused:
/// InputError, before anything is written, and std::runtime_error. A damaged line or trajectory is left out.
MergeSummary merge_results(const std::vector<std::string>& from, const std::string& to);

}  // namespace daelab
