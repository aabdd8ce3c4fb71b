// The equations of a step of discrete gradient methods as expressions, with their exact Jacobian.
// methods/geometric/discrete_gradient_stepper.hpp has them as formulas.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/expressions/program.hpp"
#include "core/mechanism/forms.hpp"

namespace daelab {

// In the order of their names in JSON.
enum class DiscreteGradient { decomposed, joint, chain_rule, midpoint_rule };
std::vector<std::string> names_of(DiscreteGradient);

/// Blocks of inputs of the programs of a step, those of a recording first: of these t is the midpoint, q and v are the
/// start, lambda is that of the step.
enum class StepInput : std::uint8_t { sizes = static_cast<int>(InputBlock::lambda) + 1, u, a, count };
/// Their numbers in `sizes`.
enum class StepSize : std::uint8_t { h, end_time, least };

/// For unknowns (u, a, lambda), (2n + m).
template <class T>
struct StepPrograms {
  std::unique_ptr<Program<T>> residual, jacobian;
  std::shared_ptr<const SparsePattern> pattern;  // of the Jacobian
};

/// `level`: of the constraints, position or velocity. Throws NotApplicable where a gradient cannot be made.
template <class T>
StepPrograms<T> make_step_programs(Forms& forms, Level level, DiscreteGradient gradient);

}  // namespace daelab
