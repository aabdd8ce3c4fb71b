// Adams methods with order and step changing from step to step, on divided differences of the slopes. [SG75]
//
// With d_j = t_n - t_(n-j) and modified divided differences of f,
//
//   phi_0(n) = f_n,  phi_j(n) = phi_(j-1)(n) - phi*_(j-1)(n-1),  phi*_j(n) = beta_j phi_j(n),
//   beta_0 = 1,  beta_j = beta_(j-1) (h + d_(j-1)) / d_j,
//   c_(0,q) = 1/q,  c_(1,q) = 1/(q (q + 1)),  c_(j,q) = c_(j-1,q) - c_(j-1,q+1) h / (h + d_(j-1)),  g_j = c_(j,1),
//
// a step of order k in the mode PECE predicts, evaluates f* = f(t_(n+1), p), and corrects with one order more:
//
//   p = y_n + h sum_(j<k) g_j phi*_j(n),   y_(n+1) = p + h g_k phi*,   phi* = f* - sum_(j<k) phi*_j(n).
//
// The estimate h (g_k - g_(k-1)) phi* is that of the corrector of order k; y_(n+1) is of order k + 1 (local
// extrapolation). [HNW93, Sec. III.5, eqs. (5.5) to (5.10), Sec. III.7]
//
// [SG75] Shampine, Gordon, Computer Solution of Ordinary Differential Equations, Freeman, 1975, Chaps. 5 to 7.
// [HNW93] Hairer, Nørsett, Wanner, Solving Ordinary Differential Equations I, 2nd ed., Springer, 1993.
#pragma once

#include "core/base/once.hpp"
#include "methods/multistep/adams.hpp"

namespace daelab {

constexpr int variable_adams_highest = 12;

struct VariableAdamsSettings {
  int k = variable_adams_highest;  // of the predictor: with fixed steps; the highest one with error control
  /// Of fixed steps: an explicit one-step method of order k or more that makes the first k - 1 of them.
  std::shared_ptr<Method> start;
};

/// Two evaluations a step; State::memory keeps the differences. stepper() throws NotApplicable for forms without a
/// state-space form. From an options struct with `VariableAdamsSettings settings(const std::string& where) const`.
///
/// With error control a run starts with order 1 and small steps, and doubles the step and raises the order at every
/// step until the error forbids it; later the order rises only after k + 1 equal steps.
class VariableAdamsMethod final : public Method {
 public:
  template <class Definition>
  VariableAdamsMethod(const Definition& definition, const std::string& where) : settings_(definition.settings(where)) {}
#define DAELAB_DECLARE(T) \
  std::unique_ptr<Stepper<T>> stepper(System<T>& system, const NewtonOptions& newton) const override;
  DAELAB_FOR_SCALARS(DAELAB_DECLARE)
#undef DAELAB_DECLARE
  /// Of equal steps.
  MethodForm form() const override;
  std::vector<Coefficient> coefficients() const override;
  DenseOrder dense_order() const override;
  PredictedOrders predicted_orders(const FormulationTraits& formulation, const FormOrders& orders) const override;

 private:
  /// Those of fixed steps.
  const AdamsFormulas& formulas() const;

  VariableAdamsSettings settings_;
  Once<AdamsFormulas> formulas_;  // runs at tight tolerances ask for their order
};

}  // namespace daelab
