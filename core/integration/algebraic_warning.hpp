// Whether multipliers and algebraic states are what the others determine, at the end of a run.
#pragma once

#include <optional>

#include "core/integration/step_control.hpp"

namespace daelab {

/// Text of the warning "algebraic": of index 2 and 3, the forces C_q^T lambda, or algebraic states of first-order
/// systems, are more than a thousand tolerances off what (t, q, v), or (t, x), determine by constraints
/// differentiated to index 1. No error estimate holds lambda, and estimates hold algebraic states by h and h^2 times
/// themselves, while methods give them to a lower order: kvaerno-5 on index 3 gave -46.1 for -54.4 with positions right
/// to round-off. Forces count relative to the largest one, applied ones among them.
template <class T>
std::optional<std::string> algebraic_warning(System<T>& system, const State<T>& end, const Tolerances<T>& tolerances);

}  // namespace daelab
