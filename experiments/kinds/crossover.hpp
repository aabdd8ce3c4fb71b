// The result of the experiment `crossover`: the work that methods spend on an accuracy while a parameter of the problem
// grows, and where one group of methods turns dearer than another.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/exact.hpp"
#include "experiments/measures/crossover_point.hpp"
#include "results/artifacts.hpp"
#include "results/members.hpp"
#include "results/run_record.hpp"

namespace daelab {

/// The run within the accuracy that costs least.
struct CheapestRun {
  std::string steps_text;  // "rtol = 1E-6, atol = 1E-8"
  std::optional<Exact> rtol, h;
  RunStatistics stats;
  double cost = 0, error = 0;
};

struct CrossoverResult {
  /// A method on the problem with one value of the parameter, over its tolerances or step sizes.
  struct Point {
    double value = 0;
    long tried = 0;
    std::optional<CheapestRun> cheapest;  // nothing where no run reached the accuracy
  };
  struct Series {
    Json spec;  // without the parameter and the tolerances
    std::string label;
    std::vector<Factor> factors;  // of the label
    std::vector<Point> points;    // ascending in value
  };
  /// The first group against another one, by a factor.
  struct Comparison {
    std::string rival;
    Exact factor;
    Crossover crossover;
  };
  /// All in one cost.
  struct Swept {
    std::string cost;
    std::vector<Series> series;
    std::vector<Least> first, second;  // of the groups
    Crossover drawn;                   // where both cost the same
    std::vector<Comparison> comparisons;
  };
  std::string failure;  // why there are no errors; "": there are
  std::vector<Swept> swept;
};

/// {"failure", COST: {"series", "crossover": {RIVAL: {FACTOR: {"up_to", "beyond_the_sweep"}}}, ...}} for each cost:
/// what claims point into.
void members(JsonMembers& json, CrossoverResult& result);

}  // namespace daelab
