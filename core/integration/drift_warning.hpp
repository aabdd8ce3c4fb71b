// Whether a run that has ended is off its constraints by many tolerances.
#pragma once

#include <optional>

#include "core/integration/step_control.hpp"

namespace daelab {

/// Text of the warning "drift": positions are more than a hundred tolerances off C = 0, and so at least as wrong. Their
/// distance is that of the smallest correction, C_q^T (C_q C_q^T)^-1 C, with dependent rows left out. Not looked for in
/// ordinary differential equations and in mechanisms beyond largest_dense_mechanism.
template <class T>
std::optional<std::string> drift_warning(System<T>& system, const State<T>& end, const Tolerances<T>& tolerances);

}  // namespace daelab
