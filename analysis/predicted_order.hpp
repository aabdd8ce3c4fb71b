// The orders theory gives a method on the forms of a mechanical system, per component class: with fixed steps, from
// consistent values, of the error at a fixed time.
//
// Where theory is silent, a rule that fits measurements in 50 digits stands in and is called a measured rule.
//
// [AB07] Arnold, Brüls, Multibody System Dynamics 18(2), 2007, 185-202, doi 10.1007/s11044-007-9084-0.
// [ABC15] Arnold, Brüls, Cardona, Numerische Mathematik 129(1), 2015, 149-179, doi 10.1007/s00211-014-0633-1.
// [HLR89] Hairer, Lubich, Roche, The Numerical Solution of Differential-Algebraic Systems by Runge-Kutta Methods,
//         Springer, 1989.
// [HW96] Hairer, Wanner, Solving Ordinary Differential Equations II, 2nd ed., Springer, 1996, Chaps. VI, VII.
// [Jay93] Jay, Numerische Mathematik 65, 1993, 407-421: collocation methods on index 3.
// [LP86] Lötstedt, Petzold, Mathematics of Computation 46(174), 1986, 491-516: BDF on index 2 and 3.
#pragma once

#include <optional>
#include <string>

#include "analysis/order_conditions.hpp"
#include "core/integration/method.hpp"

namespace daelab {

/// Nothing where theory is silent: an observed order then has nothing to stand beside.
struct PredictedOrders {
  std::optional<int> q, v, a, lambda;
  std::string source;  // theorem, table or measured rule; or why there is none
};

/// For a method (its form and what it is registered as) with fixed steps on a formulation, by their specifications.
PredictedOrders predicted_orders(const Method& method, const std::string& formulation);

/// The same with the order conditions of the method's tableau at hand; null for methods that are none.
PredictedOrders predicted_orders(const Method& method, const std::string& formulation, const OrderReport* conditions);

}  // namespace daelab
