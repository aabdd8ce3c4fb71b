// How the error e of an invariant grows along a long run: bounded, linearly in time, or as a random walk of round-off.
//
// The blocks of core/integration/error_blocks.hpp are cut into 8 segments, from which all intervals come: 95 % of
// Student's t with 7 degrees of freedom. Two numbers are estimated:
//   - the slope, the mean of the least-squares slopes of the block means in each segment. Segments of a random walk are
//     independent, so its interval holds for random walks and is too wide, if anything, for oscillations
//     (method of batch means [Schmeiser 1982, Operations Research 30, 556]),
//   - the exponent p of growth: the range of e, largest minus least, over stretches of 1/64, 1/32, 1/16 and 1/8 of the
//     run, averaged over all stretches of that length, grows like their length to the power p. p is 0 for oscillations
//     that are shorter than a stretch, 1/2 for random walks, whose scaling is exact [Mandelbrot, van Ness 1968, SIAM
//     Review 10, 422], and 1 for straight lines. Its interval is the jackknife over segments [Künsch 1989, Annals of
//     Statistics 17, 1217].
// The verdict is the first of these that holds:
//   bounded        also where the range of the whole run is at most 16 roundings of the invariant,
//   linear drift   the slope's interval excludes 0, all segments have its sign, the slopes of both halves differ by at
//                  most 1/4 of it (straight lines, not powers beyond 1 ± 0.2), and over the run it makes more than the
//                  range over 1/64 of it, so that it is seen beside the oscillation,
//   bounded        the interval of p is below 1/4,
//   random walk of round-off   the interval of p is between 1/4 and 3/4 and contains 1/2, and one step adds at most 100
//                  roundings of the invariant,
//   undecided      otherwise, and below 4096 steps.
//
// It is a statement on this run: oscillations longer than an eighth of it look like growth, a drift below the
// oscillation is not seen (the slope and its interval are there for it). A round-off that has a sign drifts linearly.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "core/base/json.hpp"
#include "core/integration/error_blocks.hpp"

namespace daelab {

enum class Growth { bounded, linear_drift, random_walk, undecided };
std::vector<std::string> names_of(Growth);

/// With the half-width of the 95 % interval; NaN: not estimated.
struct Estimated {
  double value = std::numeric_limits<double>::quiet_NaN(), half_width = std::numeric_limits<double>::quiet_NaN();
};

struct GrowthVerdict {
  Growth verdict = Growth::undecided;
  Estimated exponent, slope;    // the latter in the unit of the invariant per second
  double roundings_a_step = 0;  // what a random walk with the range of this run adds, in roundings of the invariant
  std::string statement;  // "linear drift: slope 1.2e-9 ± 3e-12 per s, exponent 0.98 ± 0.01", or why it is undecided
};

/// epsilon: the unit round-off of the scalar of the run.
GrowthVerdict judge_growth(const ErrorBlocks& blocks, double epsilon);

/// "1.20e-09 ± 3.0e-12" and "0.98 ± 0.01"; "" where nothing is estimated.
std::string estimated_text(const Estimated& x);
std::string exponent_text(const GrowthVerdict& growth);

}  // namespace daelab
