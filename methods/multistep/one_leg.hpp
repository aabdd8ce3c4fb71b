// One-leg methods: the equations hold once a step, at means of times and values. [Dah75]
//
//   F(t*, y*, y'*) = 0,   t* = sum_j beta_j t_(n+1-j),   y* = sum_j beta_j y_(n+1-j),   h y'* = sum_j alpha_j
//   y_(n+1-j),
//
// of a linear multistep formula with sum_j beta_j = 1, beta_0 not 0. The algebraic components of y* solve the
// equations; at the step end they follow from the differential components there. The past has differential ones alone.
//
// Orders. y* = y(t*) + O(h^(q+1)), q = 1 unless only beta_0 is not 0: the order is p = min(order of the formula, q +
// 1).
//   index 1: 0 = g(y*, z*) makes it the one-leg method for y' = f(y, G(y)), of the same order.
//   index 2: the means y*_n satisfy 0 = g(y*_n) and the multistep formula, which converges where the zeros of sigma are
//     inside the unit circle [HW96, Sec. VII.3], and y_n follows from them by the recursion sum_j beta_j y_(n+1-j) =
//     y*_n.
//   A simple zero on the circle, as -1 of the midpoint rule, keeps the violation O(h^2) that the first step makes,
//   without a sum; index 3 divides it by h and adds it up. A zero outside multiplies it in each step.
//
// [Dah75] Dahlquist, Error analysis for a class of methods for stiff non-linear initial value problems, Numerical
// Analysis, Lecture Notes in Mathematics 506, Springer, 1976, 60-72.
// [HW96] Hairer, Wanner, Solving Ordinary Differential Equations II, 2nd ed., Springer, 1996, Secs. V.6, VII.3.
#pragma once

#include "core/integration/method.hpp"

namespace daelab {

/// Throws InputError under `where` unless beta_0, sum alpha_0 and the conditions of order 1 are as they must be; scales
/// both so that sum_j beta_j = 1.
MultistepFormula one_leg_formula(MultistepFormula formula, const std::string& where);

/// Two steps, order 2: alpha = ((1 + theta)/2, -theta, (theta - 1)/2), beta = ((1 - middle)/2 + theta/4, middle,
/// (1 - middle)/2 - theta/4). All formulas of two steps and of order 2 are among them; A-stable are those with theta
/// not negative and middle at most 1/2. theta = 1, middle = 1/2: midpoint rule; 2, 0: BDF; middle = theta^2/2: [DLN83].
///
/// [DLN83] Dahlquist, Liniger, Nevanlinna, Stability of two-step methods for variable integration steps, SIAM Journal
/// on Numerical Analysis 20(5), 1983, 1071-1085.
MultistepFormula two_step_formula(const Real100& theta, const Real100& middle);

/// The largest modulus of a zero of sigma(zeta) = sum_j beta_j zeta^(k-j), by which the constraints of index 2 and 3
/// carry what is off them.
double carried_violation(const MultistepFormula& formula);

/// q + 1 for y* = y(t*) + O(h^(q+1)), which the order of the method does not exceed; `most` where y* is y_(n+1), or q +
/// 1 is larger.
int order_of_means(const MultistepFormula& formula, int most);

struct OneLegScheme {
  MultistepFormula formula;
  const Method& (*start)() = nullptr;  // the first k - 1 steps, and those after a change of the step size
};

/// From an options struct with `OneLegScheme scheme(const std::string& where) const`.
class OneLegMethod final : public Method {
 public:
  template <class Definition>
  OneLegMethod(const Definition& definition, const std::string& where) : scheme_(definition.scheme(where)) {}
  /// Throws NotApplicable on index 2 and 3 where a zero of sigma is outside the unit circle.
#define DAELAB_DECLARE(T) \
  std::unique_ptr<Stepper<T>> stepper(System<T>& system, const NewtonOptions& newton) const override;
  DAELAB_FOR_SCALARS(DAELAB_DECLARE)
#undef DAELAB_DECLARE
  /// What it does to y' = lambda y is what the formula does.
  MethodForm form() const override;
  const MultistepFormula& formula() const { return scheme_.formula; }
  std::vector<Coefficient> coefficients() const override;
  PredictedOrders predicted_orders(const FormulationTraits& formulation, const FormOrders& orders) const override;

 private:
  OneLegScheme scheme_;
};

}  // namespace daelab
