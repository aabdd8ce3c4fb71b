// Comparison of two stored trajectories, row by row.
#pragma once

#include <string>
#include <vector>

#include "core/base/json.hpp"

namespace daelab {

/// A trajectory as it is in a folder.
struct TrajectoryFile {
  std::string path;      // of the CSV file
  std::string checksum;  // of its content when it was written; "": the run has none
};

/// One place where two trajectories differ.
struct TrajectoryDifference {
  std::string place;  // "/trajectory/3/q1": row, counted from 1 below the header, and column; "/trajectory": as a whole
  Json a, b;          // null: not there
};

/// Numbers are equal when |a - b| <= rtol max(|a|, |b|), other cells when they are the same text. A file that is
/// missing or is not as it was written is a difference of its own, and its numbers are compared all the same. Of many
/// differences the first ten are given, and in the last entry how many there are beside them.
std::vector<TrajectoryDifference> compare_trajectories(const TrajectoryFile& a, const TrajectoryFile& b, double rtol);

}  // namespace daelab
