// Backward differentiation formulas of order 1 to 6 on F(t, y, y') = 0, with fixed steps or with error control.
//
// Unknowns are y' of the differential and y of the algebraic components,
//
//   y = y^0 + delta,  y' = y'^0 + delta / hh,  hh = h / c_k      [Ren20, eqs. (68), (71)]
//
// with y^0, y'^0 predicted from the differences (methods/multistep/bdf_formula.hpp). On y = (q, v, lambda) that is the
// system of [Ren20, (78)] on index 3, (84) on ggl and the one after (84), without a number, on stabilized-index-1.
//
// Fixed steps have order k from the first: k - 1 steps of an explicit Runge-Kutta method of order 8 on the state-space
// form, then the formula. With error control algorithm 4 starts with order 1 and selects order and step. After an event
// it does so again, or goes on with the order k and the step size it had: k explicit steps of that size make a past.
//
// The error estimate is of the differential components, velocities filtered on index 3. Algebraic components have
// differences too, which only predict them: not even the accelerations of stabilized-index-1 enter the estimate.
//
// [Ren20] Ren, Zhou, Journal of Dynamics and Control, 2020, doi 10.6052/1672-6553-2020-098.
#pragma once

#include "core/integration/kept_jacobian.hpp"
#include "core/integration/method.hpp"
#include "methods/multistep/bdf_formula.hpp"

namespace daelab {

/// With error control, how a run goes on where an event made it forget its past.
enum class BdfRestart { order_1, runge_kutta };
inline std::vector<std::string> names_of(BdfRestart) { return {"order-1", "runge-kutta"}; }

struct BdfSettings {
  int order = bdf_usual_order;  // with fixed steps; the highest one with error control
  BdfFormula formula = BdfFormula::variable;
  std::string selector;  // one of OrderSelector::names()
  bool growth_caps = true;
  bool equal_steps = false;  // with error control: k + 2 steps of one size before a change, as DIFSUB and LSODI have it
  BdfRestart restart = BdfRestart::order_1;
  bool numerical = false;                       // numerical differentiation formulas, see bdf_formula.hpp
  const Method& (*start)() = nullptr;           // the explicit steps, see bdf_start.hpp: with fixed steps,
  const Method& (*restart_method)() = nullptr;  // and after an event
};

/// The formula of k equal steps, k >= 1: sum_(j=1)^k nabla^j y_(n+1) / j = h f_(n+1), numerical ones with
/// - kappa_k c_k nabla^(k+1) y_(n+1) on the left.
MultistepFormula bdf_formula(int k, bool numerical = false);

/// State::memory keeps the differences, and where the Jacobian in use was evaluated.
///
template <class T>
struct BdfMemory {
  BdfHistory<T> history;
  KeptJacobian<T> jacobian;
  bool operator==(const BdfMemory&) const = default;
  void keep(const BdfMemory& attempt) { jacobian.keep(attempt.jacobian); }
};

/// From an options struct with `BdfSettings settings() const`.
class BdfMethod final : public Method {
 public:
  template <class Definition>
  BdfMethod(const Definition& definition, const std::string& /*where*/) : settings_(definition.settings()) {}
#define DAELAB_DECLARE(T) \
  std::unique_ptr<Stepper<T>> stepper(System<T>& system, const NewtonOptions& newton) const override;
  DAELAB_FOR_SCALARS(DAELAB_DECLARE)
#undef DAELAB_DECLARE
  Level natural_level() const override { return Level::position; }
  MethodForm form() const override;
  /// Of equal steps.
  std::vector<Coefficient> coefficients() const override;
  DenseOrder dense_order() const override;
  PredictedOrders predicted_orders(const FormulationTraits& formulation, const FormOrders& orders) const override;

 private:
  BdfSettings settings_;
};

}  // namespace daelab
