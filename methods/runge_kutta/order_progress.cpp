#include "methods/runge_kutta/order_progress.hpp"

#include <boost/math/special_functions/factorials.hpp>

#include <algorithm>
#include <cmath>

#include "core/integration/pi_controller.hpp"
#include "core/solvers/dense.hpp"

namespace daelab {
namespace {

// A change costs a Jacobian and a worse guess: it must promise this much more progress.
constexpr double gain = 1.3;
// Work goes like this power of the number of stages (docs/methods.md).
constexpr double work_exponent = 2.5;
constexpr double least_ratio = 0.2, most_ratio = 8;  // as PiController

double factorial(Index k) { return boost::math::factorial<double>(static_cast<unsigned>(k)); }

// P_k(2x - 1).
double shifted_legendre(Index k, double x) { return std::legendre(static_cast<unsigned>(k), 2 * x - 1); }

// Weights of values at the nodes for the derivative of order k at them, h = 1: of the polynomial's part P_k(2x - 1),
// that of x^k / k! being k! / (2k)!.
Vector<double> derivative_weights(const Vector<double>& nodes, Index k) {
  const Index s = nodes.size();
  Matrix<double> transposed(s, s);
  for (Index i = 0; i < s; ++i)
    for (Index j = 0; j < s; ++j) transposed(j, i) = shifted_legendre(j, nodes[i]);
  return dense::solve(transposed, Vector<double>::Unit(s, k)) * (factorial(2 * k) / factorial(k));
}

// h^(k+1) y^(k+1) over h^k y^k.
double decay(const OrderFacts& facts, const ShownDecay& shown) {
  const double top = facts.apart > 0 ? shown.h_y_upper : shown.error / facts.kappa;
  const double below = facts.apart > 0 ? shown.h_y_lower : shown.h_y_upper;
  return std::pow(std::max(top, 1e-100) / std::max(below, 1e-100), 1.0 / std::max(facts.apart, 1));
}

double possible_step(const OrderFacts& facts, double error) {
  return std::pow(aimed_error / std::max(error, 1e-100), 1.0 / (facts.stages + 1));
}

double work(const OrderFacts& facts) { return std::pow(facts.stages, work_exponent); }

}  // namespace

OrderFacts::OrderFacts(const Stages& of)
    : stages(static_cast<int>(of.c.size())),
      kappa(static_cast<double>(of.gamma * of.c.prod()) / factorial(of.c.size())),
      apart(std::min(stages - 1, 2)) {
  const Vector<double> nodes = of.c.cast<double>();
  upper = derivative_weights(nodes, stages - 1);
  lower = derivative_weights(nodes, stages - 1 - apart);
}

OrderChoice choose_order(const std::vector<OrderFacts>& orders, std::size_t place, const ShownDecay& shown,
                         bool may_rise) {
  const OrderFacts& present = orders[place];
  const double step = possible_step(present, shown.error), r = decay(present, shown);
  OrderChoice choice{place, 1};
  double most = gain * step / work(present);
  const std::size_t first = place > 0 ? place - 1 : 0, last = std::min(place + (may_rise ? 1 : 0), orders.size() - 1);
  for (std::size_t i = first; i <= last; ++i) {
    if (i == place) continue;
    const OrderFacts& other = orders[i];
    const double error = shown.error * (other.kappa / present.kappa) * std::pow(r, other.stages - present.stages);
    const double its_step = possible_step(other, error);
    if (!(its_step / work(other) > most)) continue;
    most = its_step / work(other);
    choice = {i, std::clamp(its_step / step, least_ratio, most_ratio)};
  }
  return choice;
}

}  // namespace daelab
