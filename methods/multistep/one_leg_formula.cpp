// What one-leg methods are without a system: their formulas and their orders.
//
// [HW96] Hairer, Wanner, Solving Ordinary Differential Equations II, 2nd ed., Springer, 1996, Secs. V.6, VII.3.
#include <fmt/format.h>

#include "core/base/exact.hpp"
#include "core/base/input_error.hpp"
#include "core/solvers/dense.hpp"
#include "methods/multistep/one_leg.hpp"

namespace daelab {
namespace {

const Real100 negligible("1e-80");
constexpr double circle_round_off = 1e-6;  // of double zeros in double

bool is_zero(const Real100& x) { return abs(x) < negligible; }

}  // namespace

MultistepFormula one_leg_formula(MultistepFormula formula, const std::string& where) {
  auto& [alpha, beta] = formula;
  if (alpha.size() < 2)
    throw InputError(where + "/alpha", "needs two entries or more: the weights of y_(n+1), y_n, ...");
  if (beta.size() != alpha.size())
    throw InputError(where + "/beta",
                     fmt::format("has {} entries, must have as many as alpha: {}", beta.size(), alpha.size()));
  if (is_zero(alpha[0])) throw InputError(where + "/alpha/0", "must not be 0: it is the weight of y_(n+1)");
  if (is_zero(beta[0]))
    throw InputError(where + "/beta/0",
                     "must not be 0: the method is implicit; explicit ones are adams-bashforth and adams-pece");
  if (is_zero(beta.sum())) throw InputError(where + "/beta", "the sum must not be 0: the weights are those of a mean");
  const Real100 scale = 1 / beta.sum();
  alpha *= scale, beta *= scale;
  if (!is_zero(alpha.sum()))
    throw InputError(where + "/alpha",
                     fmt::format("the sum must be 0, it is {}: the formula must be exact for constants",
                                 exact_text(alpha.sum() / scale)));
  Real100 slope = 0;
  for (Index j = 0; j < alpha.size(); ++j) slope -= alpha[j] * j;
  if (!is_zero(slope - 1))
    throw InputError(
        where + "/alpha",
        fmt::format("sum_j -j alpha_j must be sum_j beta_j, it is {} times that: the formula must be exact "
                    "for y = t",
                    exact_text(slope)));
  return formula;
}

MultistepFormula two_step_formula(const Real100& theta, const Real100& middle) {
  MultistepFormula formula{Vector<Real100>(3), Vector<Real100>(3)};
  formula.alpha << (1 + theta) / 2, -theta, (theta - 1) / 2;
  const Real100 side = (1 - middle) / 2;
  formula.beta << side + theta / 4, middle, side - theta / 4;
  return formula;
}

double carried_violation(const MultistepFormula& formula) {
  const Index k = formula.steps();
  Matrix<double> companion = Matrix<double>::Zero(k, k);
  for (Index j = 0; j < k; ++j) companion(0, j) = -static_cast<double>(formula.beta[j + 1] / formula.beta[0]);
  for (Index j = 1; j < k; ++j) companion(j, j - 1) = 1;
  const double largest = dense::eigenvalues(companion).cwiseAbs().maxCoeff();
  return std::abs(largest - 1) < circle_round_off ? 1 : largest;
}

// The largest q with sum_j beta_j (-j)^i = (sum_j beta_j (-j))^i for i = 0..q, and one more.
int order_of_means(const MultistepFormula& formula, int most) {
  const Vector<Real100>& beta = formula.beta;
  Real100 node = 0, power = 1;
  for (Index j = 0; j < beta.size(); ++j) node -= beta[j] * j;
  Vector<Real100> terms = beta;  // beta_j (-j)^i
  for (int i = 0; i < most; ++i) {
    if (!is_zero(terms.sum() - power)) return i;
    for (Index j = 0; j < beta.size(); ++j) terms[j] *= -j;
    power *= node;
  }
  return most;
}

MethodForm OneLegMethod::form() const { return MultistepForm{scheme_.formula, {}, {}, true}; }

std::vector<Method::Coefficient> OneLegMethod::coefficients() const {
  return {{"alpha", "weights of y_(n+1), y_n, ... in h y'*", scheme_.formula.alpha.transpose()},
          {"beta", "weights of the same in y* and t*", scheme_.formula.beta.transpose()}};
}

PredictedOrders OneLegMethod::predicted_orders(const FormulationTraits& formulation, const FormOrders& orders) const {
  if (!orders.zero_stable) return PredictedOrders::unknown("not zero-stable");
  const int order = order_of_means(scheme_.formula, orders.order);
  if (formulation.state_space || formulation.index <= 1)
    return PredictedOrders::everywhere(
        order, "the equations without derivatives hold at the mean: the order of the one-leg method on y' = f");
  const double carried = carried_violation(scheme_.formula);
  if (carried > 1)
    return PredictedOrders::unknown(
        fmt::format("sigma has a zero of modulus {:.3g}: refused on index 2 and 3", carried));
  if (formulation.index == 3 && carried == 1)
    return PredictedOrders::unknown("sigma has a zero on the unit circle: velocities leave the constraints on index 3");
  if (formulation.index == 3)
    return PredictedOrders::everywhere(order, "measured rule: that of the one-leg method, constant steps");
  return PredictedOrders::everywhere(
      order, "means satisfy the multistep formula: HW96, Sec. VII.3; a and lambda as functions of (q, v)");
}

}  // namespace daelab
