// What a report card says of Nyström and partitioned Runge-Kutta methods.
#pragma once

#include "analysis/method_report.hpp"

namespace daelab {

/// Adds orders by trees, the symplectic and the symmetric property, and the limit of explicit ones on the oscillator.
void set_nystrom(const NystromTableau& tableau, MethodReport& report);

/// The largest omega h up to which steps of q'' + omega^2 q = 0 stay bounded, by the powers of A_bar. NaN where A_bar
/// is not strictly lower triangular.
double oscillator_limit(const NystromTableau& tableau);

}  // namespace daelab
