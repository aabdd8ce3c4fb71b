#include "core/expressions/enclosure.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/base/strict_arithmetic.hpp"

namespace daelab {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity(), half_turn = std::numbers::pi;
// Angles above this are not told apart from each other by their rounding.
constexpr double largest_angle = 1e8;
constexpr Bounds zero_bound{0, 0}, one_bound{1, 1};

// Two units in the last place and the smallest numbers: functions of the library are off by less than one.
double below(double x) { return x - (4.5e-16 * std::abs(x) + 1e-300); }
double above(double x) { return x + (4.5e-16 * std::abs(x) + 1e-300); }

Bounds outward(double lower, double upper) {
  if (std::isnan(lower) || std::isnan(upper)) return Bounds::all();
  if (lower == 0 && upper == 0) return zero_bound;
  return {lower == infinite   ? std::numeric_limits<double>::max()
          : std::isinf(lower) ? lower
                              : below(lower),
          upper == -infinite  ? std::numeric_limits<double>::lowest()
          : std::isinf(upper) ? upper
                              : above(upper)};
}

// With 0 times infinity as 0: the bounds are those of finite numbers.
double product(double a, double b) { return a == 0 || b == 0 ? 0 : a * b; }

Bounds square(const Bounds& a) {
  const double x = product(a.lower, a.lower), y = product(a.upper, a.upper);
  return a.contains(0) ? outward(0, std::max(x, y)) : outward(std::min(x, y), std::max(x, y));
}

Bounds rising(double (*f)(double), const Bounds& a) { return outward(f(a.lower), f(a.upper)); }

Bounds limited(const Bounds& a, double lower, double upper) {
  if (a.upper < lower || a.lower > upper) return Bounds::all();
  return {std::max(a.lower, lower), std::min(a.upper, upper)};
}

Bounds square_root(const Bounds& a) {
  const Bounds x = limited(a, 0, infinite);
  return x.lower < 0 ? Bounds::all() : rising(std::sqrt, x);
}

bool has_multiple(const Bounds& a, double first, double period) {
  return std::floor((a.upper - first) / period) > std::floor((a.lower - first) / period) ||
         std::remainder(a.lower - first, period) == 0;
}

// A sine or cosine, by the angle at which it is largest.
Bounds wave(double (*f)(double), const Bounds& a, double top) {
  constexpr double turn = 2 * half_turn;
  if (!(a.width() < turn) || !(std::abs(a.lower) < largest_angle)) return {-1, 1};
  const double x = f(a.lower), y = f(a.upper);
  Bounds result = outward(std::min(x, y), std::max(x, y));
  if (has_multiple(a, top, turn)) result.upper = 1;
  if (has_multiple(a, top + half_turn, turn)) result.lower = -1;
  return {std::max(result.lower, -1.0), std::min(result.upper, 1.0)};
}
Bounds sine(const Bounds& a) { return wave(arithmetic::sin, a, half_turn / 2); }
Bounds cosine(const Bounds& a) { return wave(arithmetic::cos, a, 0); }

Bounds tangent(const Bounds& a) {
  if (!(a.width() < half_turn) || !(std::abs(a.lower) < largest_angle) ||
      has_multiple({below(a.lower), above(a.upper)}, half_turn / 2, half_turn))
    return Bounds::all();
  return rising(arithmetic::tan, a);
}

Bounds power(const Bounds& a, double exponent) {
  if (a.upper < 0) return Bounds::all();
  const double x = arithmetic::pow(std::max(a.lower, 0.0), exponent), y = arithmetic::pow(a.upper, exponent);
  return outward(std::min(x, y), std::max(x, y));
}

// Tells whether the angle jumps: the box meets the negative axis, or the origin.
bool jumps(const Bounds& y, const Bounds& x) { return x.lower <= 0 && y.contains(0); }
Bounds angle(const Bounds& y, const Bounds& x) {
  if (jumps(y, x)) return {-4, 4};
  const auto [least, most] = std::minmax({arithmetic::atan2(y.lower, x.lower), arithmetic::atan2(y.lower, x.upper),
                                          arithmetic::atan2(y.upper, x.lower), arithmetic::atan2(y.upper, x.upper)});
  return outward(least, most);
}

Bounds size(const Bounds& a) {
  if (!a.contains(0)) return a.lower > 0 ? a : Bounds{-a.upper, -a.lower};
  return {0, std::max(-a.lower, a.upper)};
}

Bounds negative(const Bounds& a) { return {-a.upper, -a.lower}; }

// A truth, and its slope: it jumps where it is not known.
Enclosure truth(bool surely, bool surely_not) {
  if (surely) return {one_bound, zero_bound};
  if (surely_not) return {zero_bound, zero_bound};
  return {{0, 1}, Bounds::all()};
}

Enclosure absolute(const Enclosure& a) {
  if (!a.value.contains(0)) return a.value.lower > 0 ? a : Enclosure{size(a.value), negative(a.slope)};
  return {size(a.value), hull(a.slope, negative(a.slope))};
}

Enclosure lesser(const Enclosure& a, const Enclosure& b) {
  if (a.value.upper < b.value.lower) return a;
  if (b.value.upper < a.value.lower) return b;
  return {{std::min(a.value.lower, b.value.lower), std::min(a.value.upper, b.value.upper)}, hull(a.slope, b.slope)};
}

Enclosure negated_enclosure(const Enclosure& a) { return {negative(a.value), negative(a.slope)}; }

Enclosure steps_down(const Bounds& least, const Bounds& most) {
  return {hull(least, most), least.lower == most.upper ? zero_bound : Bounds::all()};
}

Enclosure chosen(const Enclosure& condition, const Enclosure& if_true, const Enclosure& if_false) {
  if (!condition.value.contains(0)) return if_true;
  if (condition.value.lower == 0 && condition.value.upper == 0) return if_false;
  return {hull(if_true.value, if_false.value), Bounds::all()};
}

double sign_of_number(double x) { return (x > 0) - (x < 0); }

Enclosure enclose_function(Operation operation, const Enclosure& a) {
  const Bounds& x = a.value;
  const auto with_slope = [&a](const Bounds& value, const Bounds& slope) { return Enclosure{value, slope * a.slope}; };
  switch (operation) {
    case Operation::sqrt: {
      const Bounds y = square_root(x);
      return {y, a.slope / (Bounds{2, 2} * y)};
    }
    case Operation::exp: {
      const Bounds y = rising(arithmetic::exp, x);
      return with_slope(y, y);
    }
    case Operation::log:
      return x.upper <= 0 ? Enclosure{Bounds::all(), Bounds::all()}
                          : Enclosure{rising(arithmetic::log, limited(x, 0, infinite)), a.slope / x};
    case Operation::sin:
      return with_slope(sine(x), cosine(x));
    case Operation::cos:
      return with_slope(cosine(x), negative(sine(x)));
    case Operation::tan: {
      const Bounds y = tangent(x);
      return with_slope(y, one_bound + square(y));
    }
    case Operation::asin:
      return {rising(arithmetic::asin, limited(x, -1, 1)), a.slope / square_root(one_bound - square(x))};
    case Operation::acos:
      return {negative(rising([](double z) { return -arithmetic::acos(z); }, limited(x, -1, 1))),
              negative(a.slope) / square_root(one_bound - square(x))};
    case Operation::atan:
      return {rising(arithmetic::atan, x), a.slope / (one_bound + square(x))};
    case Operation::sinh:
      return with_slope(rising(arithmetic::sinh, x), rising(arithmetic::cosh, size(x)));
    case Operation::cosh:
      return with_slope(rising(arithmetic::cosh, size(x)), rising(arithmetic::sinh, x));
    case Operation::tanh: {
      const Bounds y = rising(arithmetic::tanh, x);
      return with_slope(y, one_bound - square(y));
    }
    default:
      return {Bounds::all(), Bounds::all()};
  }
}

}  // namespace

Bounds operator+(const Bounds& a, const Bounds& b) { return outward(a.lower + b.lower, a.upper + b.upper); }
Bounds operator-(const Bounds& a, const Bounds& b) { return outward(a.lower - b.upper, a.upper - b.lower); }
Bounds operator*(const Bounds& a, const Bounds& b) {
  const auto [least, most] = std::minmax(
      {product(a.lower, b.lower), product(a.lower, b.upper), product(a.upper, b.lower), product(a.upper, b.upper)});
  return outward(least, most);
}
Bounds operator/(const Bounds& a, const Bounds& b) {
  if (b.contains(0) || std::isnan(b.lower) || std::isnan(b.upper)) return Bounds::all();
  return a * outward(1 / b.upper, 1 / b.lower);
}
Bounds hull(const Bounds& a, const Bounds& b) { return {std::min(a.lower, b.lower), std::max(a.upper, b.upper)}; }

Enclosure enclose(Operation operation, const Enclosure& a, const Enclosure& b, const Enclosure& c) {
  const Bounds &x = a.value, &y = b.value;
  switch (operation) {
    case Operation::add:
      return {x + y, a.slope + b.slope};
    case Operation::subtract:
      return {x - y, a.slope - b.slope};
    case Operation::multiply:
      if (&a == &b) return {square(x), Bounds{2, 2} * (x * a.slope)};
      return {x * y, a.slope * y + x * b.slope};
    case Operation::divide: {
      const Bounds quotient = x / y;
      return {quotient, (a.slope - quotient * b.slope) / y};
    }
    case Operation::negate:
      return negated_enclosure(a);
    case Operation::power:
      return {power(x, y.middle()), y * power(x, y.middle() - 1) * a.slope};
    case Operation::atan2:
      if (jumps(x, y)) return {angle(x, y), Bounds::all()};
      return {angle(x, y), (y * a.slope - x * b.slope) / (square(x) + square(y))};
    case Operation::abs:
      return absolute(a);
    case Operation::sign:
      return steps_down({sign_of_number(x.lower), sign_of_number(x.lower)},
                        {sign_of_number(x.upper), sign_of_number(x.upper)});
    case Operation::floor:
      return steps_down({std::floor(x.lower), std::floor(x.lower)}, {std::floor(x.upper), std::floor(x.upper)});
    case Operation::min:
      return lesser(a, b);
    case Operation::max:
      return negated_enclosure(lesser(negated_enclosure(a), negated_enclosure(b)));
    case Operation::less:
      return truth(x.upper < y.lower, x.lower >= y.upper);
    case Operation::less_equal:
      return truth(x.upper <= y.lower, x.lower > y.upper);
    case Operation::equal:
      return truth(x.lower == x.upper && y.lower == y.upper && x.lower == y.lower,
                   x.upper < y.lower || y.upper < x.lower);
    case Operation::select:
      return chosen(a, b, c);
    default:
      return enclose_function(operation, a);
  }
}

}  // namespace daelab
