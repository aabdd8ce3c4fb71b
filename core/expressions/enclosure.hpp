// Enclosures of functions of time: bounds of the value and of the slope over an interval, which hold whatever rounding
// does.
#pragma once

#include <limits>

#include "core/expressions/expression.hpp"

namespace daelab {

/// All numbers from lower to upper.
struct Bounds {
  double lower = 0, upper = 0;

  static constexpr Bounds all() {
    return {-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  }
  bool contains(double x) const { return lower <= x && x <= upper; }
  bool is_bounded() const { return upper - lower <= std::numeric_limits<double>::max(); }
  double width() const { return upper - lower; }
  double middle() const { return lower / 2 + upper / 2; }
};

/// These are rounded outwards, and all() where nothing is known: by a division by an interval that contains 0, say.
Bounds operator+(const Bounds& a, const Bounds& b);
Bounds operator-(const Bounds& a, const Bounds& b);
Bounds operator*(const Bounds& a, const Bounds& b);
Bounds operator/(const Bounds& a, const Bounds& b);
/// The smallest one that holds both.
Bounds hull(const Bounds& a, const Bounds& b);

/// Bounds of a function over an interval of time. Where the function is continuous with kinks, `slope` holds the slopes
/// on both sides; where it may jump, it is all().
struct Enclosure {
  Bounds value, slope;
};

/// The enclosure of an operation on enclosed operands; operands beyond its number are ignored.
Enclosure enclose(Operation operation, const Enclosure& a, const Enclosure& b, const Enclosure& c);

}  // namespace daelab
