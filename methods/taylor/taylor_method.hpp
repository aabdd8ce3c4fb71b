// The Taylor series method: y_(n+1) = sum_k y_k h^k, k = 0, ..., N, with the coefficients of the solution through y_n.
//
// Under error control [JZ05, Sec. 3.2] the order follows the tolerance, N = 1 - ln(tol)/2, which is the cheapest one
// where a series costs N^2 and steps are a part 1/e^2 of its radius of convergence. The step is chosen from the last
// two terms, weighed by the tolerances,
//
//   h = exp(-0.7/(N - 1)) min(|y_(N-1)|^(-1/(N-1)), |y_N|^(-1/N)),
//
// which is their choice for this order and stays one for others. It is known before the step is made, so steps are
// rejected where the series does not see what is ahead: where y' at the step end is not that of the polynomial.
//
// [JZ05] Jorba, Zou, A software package for the numerical integration of ODEs by means of high-order Taylor methods,
// Experimental Mathematics 14, 2005, 99-117.
#pragma once

#include "core/integration/method.hpp"

namespace daelab {

struct TaylorSettings {
  std::optional<int> order;  // N; none: by the tolerance, with fixed steps by the digits of the arithmetic
};

/// The order for a tolerance, which counts as at least the round-off distance of the arithmetic. At least 2.
int taylor_order(double tolerance);

/// stepper() throws NotApplicable for equations whose y' is not given as a function of (t, y). From an options
/// struct with `TaylorSettings settings() const`.
class TaylorMethod final : public Method {
 public:
  template <class Definition>
  TaylorMethod(const Definition& definition, const std::string& /*where*/) : settings_(definition.settings()) {}
#define DAELAB_DECLARE(T) \
  std::unique_ptr<Stepper<T>> stepper(System<T>& system, const NewtonOptions& newton) const override;
  DAELAB_FOR_SCALARS(DAELAB_DECLARE)
#undef DAELAB_DECLARE
  MethodForm form() const override;
  DenseOrder dense_order() const override;
  PredictedOrders predicted_orders(const FormulationTraits& formulation, const FormOrders& orders) const override;

 private:
  TaylorSettings settings_;
};

}  // namespace daelab
