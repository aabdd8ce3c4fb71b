// Columns of trajectories for the reader: named as the problem names its coordinates.
#pragma once

#include <string>

namespace daelab {
class Problem;
}

namespace daelab::app {

/// A trajectory whose heading calls q1, v1, a1 and y1 what the problem calls them, phi, phi', phi'', and a state by its
/// name; they stay as they are where the problem has no name of its own for them, or another column has that name.
std::string with_own_names(const std::string& csv, const Problem& problem);

}  // namespace daelab::app
