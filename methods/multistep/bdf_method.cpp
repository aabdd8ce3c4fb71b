// What BDF is without a system: its formula of equal steps, its dense output, its orders and what it starts with.
//
// [HW96] Hairer, Wanner, Solving Ordinary Differential Equations II, 2nd ed., Springer, 1996, Chaps. VI, VII.
// [LP86] Lötstedt, Petzold, Mathematics of Computation 46(174), 1986, 491-516: BDF on index 2 and 3.
#include "methods/multistep/bdf_start.hpp"
#include "methods/multistep/bdf_stepper.hpp"

namespace daelab {

// sum_(j=1)^k (1/j) nabla^j y_(n+1) = h y'_(n+1)
MultistepFormula bdf_formula(int k) {
  MultistepFormula formula{Vector<Real100>::Zero(k + 1), Vector<Real100>::Unit(k + 1, 0)};
  for (int j = 1; j <= k; ++j) {
    Real100 binomial = 1;  // (-1)^i (j over i)
    for (int i = 0; i <= j; ++i) {
      formula.alpha[i] += binomial / j;
      binomial *= Real100(i - j) / (i + 1);
    }
  }
  return formula;
}

MethodForm BdfMethod::form() const { return MultistepForm{bdf_formula(settings_.order), {}}; }

DenseOrder BdfMethod::dense_order() const {
  const int k = settings_.order;
  return {k, k, k, "the polynomial through the past values that the formula of that order is made of"};
}

std::vector<Method::Coefficient> BdfMethod::coefficients() const {
  const int k = settings_.order;
  const Matrix<Real100> alpha = bdf_formula(k).alpha.transpose(), one = Matrix<Real100>::Ones(1, 1);
  return {{"alpha", "weights of y_(n+1), y_n, ..., y_(n+1-k)", alpha},
          {"beta", "weight of h y'_(n+1)", one},
          {"error_constant", "defect of h y' relative to h^(k+1) y^(k+1)", one / Real100(k + 1)}};
}

PredictedOrders BdfMethod::predicted_orders(const FormulationTraits& formulation, const FormOrders& orders) const {
  if (!orders.zero_stable) return PredictedOrders::unknown("not zero-stable");
  const char* source = "HW96, Theorem VII.3.5";
  if (formulation.index == 3) source = "Lötstedt, Petzold 1986, constant steps";
  if (formulation.state_space) source = "HW96, Sec. VI.2";
  return PredictedOrders::everywhere(orders.order, source);
}

const Method& bdf_start_method() {
  static const std::shared_ptr<Method> method = explicit_runge_kutta(bdf_start_tableau);
  return *method;
}

const Method& bdf_restart_method() {
  static const std::shared_ptr<Method> method = explicit_runge_kutta(bdf_restart_tableau);
  return *method;
}

}  // namespace daelab
