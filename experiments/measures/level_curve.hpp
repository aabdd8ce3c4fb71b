// Where a mean over runs takes a given value: the curve of one of their keys against the step size, and the power law
// it follows.
//
// The place for a step size is found from the runs that differ in the key only, by a monotone cubic in its logarithm.
// The power law key = c h^p through these places is a least-squares fit of logarithms.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "core/base/exact.hpp"

namespace daelab {

/// Runs that differ in one key only, from its largest value to its smallest.
struct Sweep {
  std::string label;
  Exact h;
  std::vector<double> key, mean;
};

/// Where a sweep meets the level.
struct LevelPoint {
  Exact h;
  double key = 0;
};

/// key = c h^p by least squares of logarithms; the half-width is the 95 % confidence of p (Student t).
struct PowerLaw {
  double order = NAN, half_width = NAN, coefficient = NAN;
  bool decided() const { return half_width <= 0.5; }  // one integer exponent is told from the next
};

struct LevelCurve {
  std::vector<LevelPoint> points;    // coarse to fine
  std::vector<std::string> missing;  // step sizes whose means do not bracket the level
  PowerLaw law;

  /// "p = 2.00 ± 0.01 from 4 points", or why it is undecided.
  std::string statement() const;
  /// Geometric mean of key / h^p; NaN without points.
  double mean_factor(double p) const;
};

/// From sweeps that differ in the step size only, coarse to fine. Seen from large values of the key the first passage
/// counts.
LevelCurve level_curve(const std::vector<Sweep>& sweeps, double level);

}  // namespace daelab
