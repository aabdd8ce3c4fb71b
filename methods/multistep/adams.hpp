// Adams methods with constant steps. From the last k slopes f_n, ..., f_(n-k+1):
//
//   Adams-Bashforth   y_(n+1) = y_n + h sum_(j=0)^(k-1) beta_j f_(n-j),                       order k
//   Adams-Moulton     y_(n+1) = y_n + h sum_(j=-1)^(k-2) beta*_j f_(n-j)                      order k, implicit
//   PECE              Adams-Bashforth predicts y*, f(t_(n+1), y*) takes the place of f_(n+1) in Adams-Moulton
//
// The weights integrate the polynomial through the slopes over the step: beta_j = int_0^1 l_j(s) ds with nodes
// s = 0, -1, ... and, for Adams-Moulton, 1, 0, -1, ...
//
// [HNW93] Hairer, Nørsett, Wanner, Solving Ordinary Differential Equations I, 2nd ed., Springer, 1993, Sec. III.1.
#pragma once

#include "core/base/makes.hpp"
#include "core/integration/method.hpp"

namespace daelab {

/// beta_0, ..., beta_(k-1) in 100 digits; (k), k >= 1.
Vector<Real100> adams_bashforth(int k);
/// beta*_(-1), ..., beta*_(k-2) in 100 digits; (k), k >= 1.
Vector<Real100> adams_moulton(int k);

struct AdamsFormulas {
  Vector<Real100> predictor;  // (k) Adams-Bashforth
  Vector<Real100> corrector;  // at most (k + 1), Adams-Moulton; empty: the prediction is the result
  std::shared_ptr<Method>
      start;  // explicit one-step method: the first k - 1 steps, and those after a change of the step size
};

/// As coefficients of equal steps.
MethodForm adams_form(const AdamsFormulas& formulas);
/// The weights of the predictor, and of the corrector where there is one.
std::vector<Method::Coefficient> adams_coefficients(const AdamsFormulas& formulas);
/// Of formulas for the state-space form.
PredictedOrders adams_orders(const FormulationTraits& formulation, const FormOrders& orders);

/// What the options of these methods share: the explicit tableau of the first steps.
struct AdamsStart : Makes<Method, "runge-kutta"> {
  std::string start = "automatic";  // the method's own choice

  /// That choice becomes the name of a tableau of the project that has the order of the method (8 for order 9: the
  /// start may be of one order less, because its steps are few); other names stay.
  void resolve_start(int order);
  /// The method of the tableau. Throws InputError under `where`/start for an unknown or an implicit one.
  std::shared_ptr<Method> start_method(const std::string& where) const;
};

/// One evaluation a step, two with a corrector; State::memory keeps the past slopes. stepper() throws NotApplicable
/// for forms without a state-space form. From an options struct with
/// `AdamsFormulas formulas(const std::string& where) const` (throws InputError under `where`).
class AdamsMethod final : public Method {
 public:
  template <class Definition>
  AdamsMethod(const Definition& definition, const std::string& where) : formulas_(definition.formulas(where)) {}
#define DAELAB_DECLARE(T) \
  std::unique_ptr<Stepper<T>> stepper(System<T>& system, const NewtonOptions& newton) const override;
  DAELAB_FOR_SCALARS(DAELAB_DECLARE)
#undef DAELAB_DECLARE
  MethodForm form() const override;
  std::vector<Coefficient> coefficients() const override;
  DenseOrder dense_order() const override;
  PredictedOrders predicted_orders(const FormulationTraits& formulation, const FormOrders& orders) const override;

 private:
  AdamsFormulas formulas_;
};

}  // namespace daelab
