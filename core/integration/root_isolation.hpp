// The places at which a function of time passes zero, found without missing one: by its enclosures over intervals.
#pragma once

#include <optional>
#include <vector>

#include "core/expressions/enclosure.hpp"

namespace daelab {

/// A function of time that can be enclosed.
class EnclosedFunction {
 public:
  virtual ~EnclosedFunction() = default;
  /// Over the times from a to b; a = b is one time.
  virtual Enclosure over(double a, double b) = 0;
};

/// From left to right. An interval whose enclosure is free of zero holds no root, one where the slope is free of zero
/// as well holds at most one; others are halved, until they are shorter than `finest` or rounding hides what is in
/// them. What touches zero there without passing it is no root.
class RootIsolation {
 public:
  /// Two signs: zero counts as positive.
  struct Root {
    double before, after;  // an interval with a change of sign, one root
    bool falls;
  };

  /// Forgets what was found before; allocates only when it is deeper than ever before.
  void begin(EnclosedFunction& function, double start, double end, double finest);
  std::optional<Root> next();
  /// Encloses a root in an interval of at most this width, as far as rounding tells signs.
  Root narrowed(Root root, double width);
  /// Place at which the search was given up: more than `most_intervals` were looked at without a decision, or rounding
  /// hides the function itself.
  const std::optional<double>& gave_up() const { return gave_up_; }

 private:
  static constexpr int most_intervals = 100'000;
  struct Cell {
    double a, b;
    bool positive_a, positive_b;
  };
  enum class Finding { no_root, one_root, unknown };
  Finding look_at(const Cell& cell);
  bool positive_at(double t);

  EnclosedFunction* function_ = nullptr;
  double finest_ = 0, range_ = 0;
  std::vector<Cell> open_;  // the leftmost is last
  std::optional<double> gave_up_;
};

}  // namespace daelab
