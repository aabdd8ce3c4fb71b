// Discrete gradients as expressions: D of two points with D . (x1 - x0) = f(x1) - f(x0), and D = f_x where both are
// one.
//
// Gonzalez [Gon96] corrects the gradient at the midpoint xm along the way:
//
//   D = f_x(xm) + (f(x1) - f(x0) - f_x(xm) . (x1 - x0)) (x1 - x0)/|x1 - x0|^2.
//
// The chain rule for differences takes f apart into its operations. Each has an exact difference quotient, symmetric in
// both points: of a product ab it is (mean of b, mean of a), of sqrt(a) 1/(sqrt(a1) + sqrt(a0)), of sin(a)
// cos(am) sin(d/2)/(d/2), d = a1 - a0. If f is a function of distances, written as such, D has their directions: forces
// keep the angular momentum, as those of [Gon96] in invariants do. D hangs on how f is written.
//
// Both have order 2, and both are f_x(xm) where f is quadratic.
//
// [Gon96] Gonzalez, Time integration and discrete Hamiltonian systems, J. Nonlinear Sci. 6, 1996, 449-467.
#pragma once

#include <span>

#include "core/expressions/expression.hpp"

namespace daelab {

/// Inputs x that expressions are functions of, and two values of them.
struct TwoPoints {
  Expressions x, start, end;
  /// The square of a relative change so small that difference quotients would be round-off: below it they are
  /// derivatives, which cost the balance a third power of the change. (unit of round-off)^(2/3).
  Expression least;

  Expressions middle() const;
  Expressions change() const;
};

/// Whether the second derivatives of f do not depend on x.
bool is_quadratic(const Expression& f, std::span<const Expression> x);

/// What the discrete gradient of Gonzalez has beside f_x(xm).
Expressions gonzalez_correction(const Expression& f, const TwoPoints& points);

/// Throws NotApplicable where f chooses between values by x, or has an operation without a difference quotient.
Expressions chain_rule_gradient(const Expression& f, const TwoPoints& points);

}  // namespace daelab
