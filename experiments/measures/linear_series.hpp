// Many linear runs of a kind: what the theory says of the symmetric rank-one iteration (analysis/sr1_properties.hpp),
// summarised over problems that differ in their seed alone.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "lab/runs/experiment.hpp"
#include "lab/runs/linear_run.hpp"
#include "results/members.hpp"

namespace daelab {

/// A linear run of a config.
using FinishedLinearRun = Finished<LinearRun, LinearRecord>;

struct Spread {
  double min = 0, mean = 0, max = 0;
};

/// A norm that should not grow, over the problems: in how many it did, and by how much.
struct DecreaseSummary {
  long increasing = 0, standing_still = 0;  // problems
  double share = 0;                         // of the problems, of those increasing
  double share_of_passes = 0;               // passes with an increase among all
  double largest_factor = 0;                // the largest ratio of neighbours
};

/// Largest values are not a number where one of them is not.
struct LinearSeries {
  std::string label, entry_label;
  Json spec;  // without the seed
  std::size_t problems = 0;
  std::vector<std::pair<std::string, int>> statuses;  // how many ended how, by first appearance
  Spread passes;
  long unconverged = 0;
  double skipped = 0;                                                              // the most
  Sr1Deviations deviations, roundings;                                             // the latter: in roundings
  double solution_error = 0, inverse_error = 0, perturbation = 0, norm_ratio = 0;  // the largest
  std::array<DecreaseSummary, std::size(sr1_decreases)> decreases;                 // in that order
  double contraction_over_bound = 0;  // |x_(k+1) - x^0| / |x_k - x^0| over |eps F_0| / lambda_r(A0): at most 1 where
                                      // the bound of the theorem holds
  double least_eigenvalue = 0, independence = 0, curvature = 0, product_form = 0;  // the least
  double product_asymmetry = 0;                                                    // the largest
  long not_positive_definite = 0;                                                  // problems
  double products = 0;                                                             // of a matrix and a vector a pass
  struct Classical {                                                               // the method with line search
    Spread steps, steps_more;  // the latter: steps of the iteration, one more than passes, less its own
    double products = 0;       // a step
    long unconverged = 0;
  } classical;
  struct Solver {  // the multiplier solver of the runs
    Spread passes;
    double residual = 0, error = 0;
  } solver;
  Sr1Properties first;  // of the first problem

  /// "ok", or "ok 18, not-converged 2"
  std::string status_text() const;
};

/// The series a config will have: specifications and labels alone.
std::vector<LinearSeries> linear_series(const Config& config);
/// With what their runs say.
std::vector<LinearSeries> linear_series(const Config& config, const std::vector<FinishedLinearRun>& runs);

/// {"label", "spec", "statuses", "k", "largest", "monotone", ..., "first"}: what claims point into.
void members(JsonMembers& json, LinearSeries& series);

/// Not a number when one of them is not.
double largest_of(const std::vector<double>& values);

}  // namespace daelab
