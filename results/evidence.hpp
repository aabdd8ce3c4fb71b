// The runs that the entries of a paper or a config rest on: a reader of a claim wants to see them.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "results/run_record.hpp"

namespace daelab {

struct Evidence {
  std::string set;                // the first that the entry names
  std::vector<std::string> keys;  // of runs of any set; none where it rests on the evaluation of a set as a whole
};

/// The runs of a set; none where there are no results of it.
using RunLookup = std::function<const std::vector<RunHead>&(const std::string& set)>;

/// By the id of each entry of `entries` (results/claims.hpp), which were checked.
std::map<std::string, Evidence> evidence_of(const Json& entries, const RunLookup& runs);

/// By the id of each entry the names of the problems whose runs it selects; none of entries that select others.
std::map<std::string, std::set<std::string>> problems_of(const Json& entries);

/// The entries that refer to these sets alone, and all other keys but passages, which tell of all sets.
Json entries_about(const Json& entries, const std::vector<std::string>& sets);

/// The result sets that the entries refer to, in the order of the first reference to each: the order of the paper.
std::vector<std::string> sets_in_order(const Json& entries);

}  // namespace daelab
