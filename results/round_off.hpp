// How many digits of a stored number are more than round-off.
#pragma once

#include <string>

#include "results/claims.hpp"

namespace daelab {

/// Round-off of the numbers of a result set: 64 units in the last place of the largest component of the class (q, v, a,
/// lambda, y) that a number belongs to, or of all where it names none; in 50 digits none. Errors are also no smaller
/// than the floor that their analysis found.
class ResultRoundOff {
 public:
  explicit ResultRoundOff(const ResultSet& set);

  /// Digits of `value`, from 0 to 15, that it leaves; of a value by its <value> in the format of results/claims.hpp.
  int digits(double value, const Json& reference) const;

 private:
  double of(const Json& reference) const;
  double scale_of(const std::string& pointer) const;

  const ResultSet& set_;
  std::map<std::string, double> largest_;  // by class
  double largest_of_all_ = 1;
};

}  // namespace daelab
