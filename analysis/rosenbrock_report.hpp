// What a report card says of Rosenbrock and W-methods.
#pragma once

#include "analysis/method_report.hpp"
#include "analysis/rosenbrock_conditions.hpp"

namespace daelab {

/// Completes the report of its form on linear equations: all that nonlinear ones and index 1 add.
void set_rosenbrock(const RosenbrockTableau& tableau, const RosenbrockOrders& orders, MethodReport& report);

}  // namespace daelab
