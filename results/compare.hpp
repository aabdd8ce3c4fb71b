// Comparison of two result sets, run by run.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/base/json.hpp"

namespace daelab {

/// One place where two result sets differ.
struct Difference {
  Json spec;  // of the run
  /// Into the run record, or a place in its trajectory, such as "/trajectory/3/q1" (compare_trajectories.hpp); "" when
  /// the run is in one set only.
  std::string pointer;
  Json a, b;  // null: not there
};

using DifferenceVisitor = std::function<void(Difference)>;

/// Numbers, also those written as text, are the same when |a - b| <= rtol max(|a|, |b|), all else when it is equal.
bool same_value(const Json& a, const Json& b, double rtol);

/// Places at which two records of one run differ, their trajectories by their checksums alone.
std::vector<Difference> compare_records(const Json& a, const Json& b, double rtol);

/// Run by run, the reference run with them, matched by specification, whatever code computed them; with every run its
/// trajectory, row by row. Values are compared by same_value. Times, keys, checksums and provenance are left out.
std::vector<Difference> compare(const std::string& dir_a, const std::string& dir_b, double rtol);
/// The same, handed over one by one, runs in the order of their specifications: a million may be more than memory
/// holds.
void compare(const std::string& dir_a, const std::string& dir_b, double rtol, const DifferenceVisitor& visit);

}  // namespace daelab
