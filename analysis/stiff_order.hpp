// The order of a method on stiff equations with a smooth solution, where it falls below the classical one.
//
// On y' = L (y - phi) + phi' [Prothero, Robinson 1974] with |L| h large, stages of order q leave a step with an error
// of size h^(q+1), divided by L h where the last stage is the new value (stiffly accurate). R(infinity) carries errors
// on: they add up over 1/h steps where it is 1, and otherwise fade or cancel. At a fixed L this makes the order
//
//   q + (0 if stiffly accurate, else 1) - (1 if R(infinity) = 1, else 0),    at most the classical order.
//
// q is the pseudo-stage order: errors of stages that do not reach the step end do not count.
//
// [HW96] Hairer, Wanner, Solving Ordinary Differential Equations II, 2nd ed., Springer, 1996, Sec. IV.15, table 15.1.
#pragma once

#include <optional>
#include <string>

#include "core/integration/method_form.hpp"

namespace daelab {

struct StiffOrder {
  std::optional<int> order;
  std::string source;  // what it rests on; or why there is none
};

/// Runge-Kutta methods with |R(infinity)| <= 1, and BDF, whose error is h^k/L.
StiffOrder stiff_order(const MethodForm& form);

}  // namespace daelab
