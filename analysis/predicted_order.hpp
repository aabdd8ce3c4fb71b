// The orders theory gives a method on the forms of a mechanical system, per component class.
//
// [HLR89] Hairer, Lubich, Roche, The Numerical Solution of Differential-Algebraic Systems by Runge-Kutta Methods,
//         Springer, 1989.
// [HW96] Hairer, Wanner, Solving Ordinary Differential Equations II, 2nd ed., Springer, 1996, Chaps. VI, VII.
#pragma once

#include <optional>
#include <string>

#include "core/method.hpp"

namespace daelab {

/// Nothing where theory is silent: an observed order then has nothing to stand beside.
struct PredictedOrders {
  std::optional<int> q, v, a, lambda;
  std::string source;  // theorem or table; or why there is none
};

/// For a method (its form and what it is registered as) with fixed steps on a formulation, by their specifications.
PredictedOrders predicted_orders(const Method& method, const std::string& formulation);

}  // namespace daelab
