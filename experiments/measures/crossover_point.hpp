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

}  // namespace daelab
