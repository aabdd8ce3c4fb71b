// Extrapolation of Gragg's method, the explicit midpoint rule, to step size zero, with columns of fixed order.
//
//   Y_0 = y_n,  Y_1 = Y_0 + h_i f(Y_0),  Y_(k+1) = Y_(k-1) + 2 h_i f(Y_k),  h_i = h/n_i,  n_i = 2, 4, 6, ...
//   S_i = Y_n, or smoothed (Y_(n-1) + 2 Y_n + Y_(n+1))/4;  both have expansions in h_i^2.
//   [HNW93, eqs. (II.9.10)-(II.9.13)]
//   y_(n+1) = sum_i w_i S_i,  w_i = prod_(j != i) n_i^2/(n_i^2 - n_j^2),  i = 1, ..., p/2: the entry T_kk, of order p.
//   The same without S_1 is T_(k,k-1), of order p - 2, and their difference the estimate.
//
// core/integration/extrapolation.hpp, the route to references, is apart from this on purpose.
//
// [HNW93] Hairer, Nørsett, Wanner, Solving Ordinary Differential Equations I, 2nd ed., Springer, 1993, Sec. II.9.
#pragma once

#include "core/base/once.hpp"
#include "core/integration/method.hpp"

namespace daelab {

struct ExtrapolationSettings {
  int order = 0;  // p, even
  bool smoothing = false;
};

/// An explicit tableau of p^2/4 + 1 stages, p/2 more with smoothing; the embedded order is p - 2, none for p = 2.
Tableau gragg_tableau(const ExtrapolationSettings& settings);

/// As many evaluations a step as stages of the tableau. stepper() throws NotApplicable for forms without a state-space
/// form, Stepper::control for order 2. From an options struct with
/// `ExtrapolationSettings settings(const std::string& where) const` (throws InputError under `where`).
class GraggExtrapolation final : public Method {
 public:
  template <class Definition>
  GraggExtrapolation(const Definition& definition, const std::string& where) : settings_(definition.settings(where)) {}
#define DAELAB_DECLARE(T) \
  std::unique_ptr<Stepper<T>> stepper(System<T>& system, const NewtonOptions& newton) const override;
  DAELAB_FOR_SCALARS(DAELAB_DECLARE)
#undef DAELAB_DECLARE
  MethodForm form() const override { return gragg_tableau(settings_); }
  std::vector<Coefficient> coefficients() const override;
  DenseOrder dense_order() const override;

 private:
  ExtrapolationSettings settings_;
  std::shared_ptr<const Once<double>> stability_limit_ = std::make_shared<Once<double>>();  // steppers share it
};

}  // namespace daelab
