// A mechanism that moves: its outline at the times of a trajectory, and what is measured there.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/base/json.hpp"
#include "core/base/scalar.hpp"
#include "core/mechanism/outline.hpp"

namespace daelab {

class Problem;

struct MovingOutline {
  std::string problem, run;  // run: its key
  std::vector<double> t;
  std::vector<std::vector<DrawnShape>> frames;  // one per time
  std::vector<double> curve_t;                  // of the values
  std::vector<Vector<double>> curve_q;          // coordinates at these times; first-order states where there are none
  // Energy error, violations of constraints: what the trajectory has; errors.
  std::map<std::string, std::vector<double>> values;
};

/// For the text of a trajectory (CSV), with so many frames at most, spread over its time. Empty frames: the problem
/// draws nothing. Throws InputError when the trajectory has not the coordinates of the problem.
MovingOutline motion_of(const Problem& problem, const std::string& run, const std::string& trajectory,
                        std::size_t most_frames = 400);

/// Adds "q_error" to its values: the largest difference of a coordinate to those of the same time, NaN where there are
/// none.
void add_errors(MovingOutline& motion, const std::map<double, Vector<double>>& accurate);

/// Counts motions with more than their start: a run that failed in its first step has none.
std::size_t moving_count(const std::vector<MovingOutline>& motions);

/// For the page: points in 1/10000 of the picture's size, coordinates that do not change as one number
/// (report/page/motion.js). All motions of one problem have the same picture.
Json motions_json(const std::vector<MovingOutline>& motions);

}  // namespace daelab
