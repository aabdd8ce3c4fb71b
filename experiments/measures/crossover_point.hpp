// Where one group of methods turns dearer than another while a parameter of the problem grows.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace daelab {

/// What a group spends at one value of the parameter.
struct Least {
  double value = 0, cost = HUGE_VAL;  // infinite where no run reaches the accuracy
  std::string by;                     // label of the series
};

/// Up to which value one group costs at most so many times another.
struct Crossover {
  std::optional<double> at;  // nothing where it never does
  bool beyond = false;       // it still does at the last value
};

/// Of lists that ascend in value. Where the first becomes dearer than `factor` times the second more than once, the
/// last place counts; between two values by lines on logarithmic axes.
Crossover crossover_of(const std::vector<Least>& first, const std::vector<Least>& second, double factor);

/// Two series. The first is the cheaper one at small values.
struct PairCrossing {
  std::string first, second;
  std::optional<double> at;  // where the first turns dearer for good; nothing: it stays the cheaper one
};

/// Of two named lists, in the order in which they are the cheaper ones. Nothing where no value has both costs.
std::optional<PairCrossing> pair_crossing(const std::string& one, const std::vector<Least>& of_one,
                                          const std::string& other, const std::vector<Least>& of_other);

}  // namespace daelab
