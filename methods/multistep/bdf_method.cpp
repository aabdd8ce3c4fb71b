// What BDF is without a system: its formula of equal steps, its dense output and its orders.
//
// [HW96] Hairer, Wanner, Solving Ordinary Differential Equations II, 2nd ed., Springer, 1996, Chaps. VI, VII.
// [LP86] Lötstedt, Petzold, Mathematics of Computation 46(174), 1986, 491-516: BDF on index 2 and 3.
#include "methods/multistep/bdf_stepper.hpp"

namespace daelab {

namespace {

// weight nabla^j
void add_difference(Vector<Real100>& alpha, int j, const Real100& weight) {
  Real100 binomial = weight;  // (-1)^i (j over i)
  for (int i = 0; i <= j; ++i) {
    alpha[i] += binomial;
    binomial *= Real100(i - j) / (i + 1);
  }
}

// c_k of equal steps: 1 + 1/2 + ... + 1/k
Real100 harmonic_number(int k) {
  Real100 sum = 0;
  for (int j = 1; j <= k; ++j) sum += Real100(1) / j;
  return sum;
}

}  // namespace

MultistepFormula bdf_formula(int k, bool numerical) {
  const Real100 kappa = numerical ? numerical_differentiation(k) : Real100(0);
  const int size = k + (kappa == 0 ? 1 : 2);
  MultistepFormula formula{Vector<Real100>::Zero(size), Vector<Real100>::Unit(size, 0)};
  for (int j = 1; j <= k; ++j) add_difference(formula.alpha, j, Real100(1) / j);
  if (kappa != 0) add_difference(formula.alpha, k + 1, -kappa * harmonic_number(k));
  return formula;
}

MethodForm BdfMethod::form() const { return MultistepForm{bdf_formula(settings_.order, settings_.numerical), {}}; }

DenseOrder BdfMethod::dense_order() const {
  const int k = settings_.order;
  return {k, k, k, "the polynomial through the past values that the formula of that order is made of"};
}

std::vector<Method::Coefficient> BdfMethod::coefficients() const {
  const int k = settings_.order;
  const Matrix<Real100> alpha = bdf_formula(k, settings_.numerical).alpha.transpose(),
                        one = Matrix<Real100>::Ones(1, 1);
  const Real100 kappa = settings_.numerical ? numerical_differentiation(k) : Real100(0);
  return {{"alpha", "weights of y_(n+1), y_n, ..., from the newest to the oldest", alpha},
          {"beta", "weight of h y'_(n+1)", one},
          {"error_constant", "defect of h y' relative to h^(k+1) y^(k+1)",
           one * Real100(Real100(1) / (k + 1) + kappa * harmonic_number(k))}};
}

PredictedOrders BdfMethod::predicted_orders(const FormulationTraits& formulation, const FormOrders& orders) const {
  if (!orders.zero_stable) return PredictedOrders::unknown("not zero-stable");
  if (settings_.numerical && formulation.index == 3)
    return PredictedOrders::unknown("proved of BDF, not of numerical differentiation formulas");
  const char* source = "HW96, Theorem VII.3.5";
  if (formulation.index == 3) source = "Lötstedt, Petzold 1986, constant steps";
  if (formulation.state_space || formulation.index <= 1) source = "HW96, Sec. VI.2";
  return PredictedOrders::everywhere(orders.order, source);
}

}  // namespace daelab
