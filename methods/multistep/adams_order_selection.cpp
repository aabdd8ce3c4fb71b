#include "methods/multistep/adams_order_selection.hpp"

#include <algorithm>
#include <cmath>

namespace daelab {
namespace {

// The next error is to be half of what is tolerated.
constexpr double aim = 0.5;

// Estimates of lower orders that are not larger: the step is too long for the order, or the solution too rough.
bool should_lower(const AdamsErrors& errors) {
  if (errors.order == 1) return false;
  if (errors.order == 2) return errors.one_less <= errors.now / 2;
  return std::max(errors.one_less, errors.two_less) <= errors.now;
}

struct Order {
  int order;
  double error;
};

Order best_order(const AdamsErrors& errors, int highest) {
  const int k = errors.order;
  const Order same{k, errors.now}, lower{k - 1, errors.one_less}, higher{k + 1, errors.one_more};
  if (should_lower(errors)) return lower;
  if (!std::isfinite(errors.one_more)) return same;
  if (k == 1) return errors.one_more < errors.now / 2 && k < highest ? higher : same;
  if (errors.one_less <= std::min(errors.now, errors.one_more)) return lower;
  return errors.one_more < errors.now && k < highest ? higher : same;
}

// Twice as long, or as it was, or shorter: equal steps save the search for a good order.
double step_ratio(const Order& chosen) {
  if (chosen.error * std::pow(2, chosen.order + 1) <= aim) return 2;
  if (chosen.error <= aim) return 1;
  return std::clamp(std::pow(aim / chosen.error, 1.0 / (chosen.order + 1)), 0.5, 0.9);
}

}  // namespace

AdamsChoice next_adams_step(const AdamsErrors& errors, int highest, bool rises) {
  if (rises && errors.order < highest && !should_lower(errors)) return {errors.order + 1, 2, true};
  const Order chosen = best_order(errors, highest);
  return {chosen.order, step_ratio(chosen), false};
}

AdamsChoice adams_step_again(const AdamsErrors& errors, int failures) {
  if (failures < 2) return {should_lower(errors) ? errors.order - 1 : errors.order, 0.5, false};
  return {1, aim < errors.now / 4 ? std::sqrt(aim / errors.now) : 0.5, false};
}

}  // namespace daelab
