#include "methods/geometric/lobatto_pair_method.hpp"

namespace daelab {

namespace {

// Two stages on the oscillator, u = h V: (1 + delta/2) u = w_n - kappa/2 q_n, q_(n+1) = q_n + u,
// w_(n+1) = (1 - delta/2) u - kappa/2 q_(n+1), w = h v.
OscillatorForm two_stages_on_oscillator() {
  const Real100 half = Real100(1) / 2;
  OscillatorForm form;
  for (int i = 0; i < 3; ++i) form.next[i] = form.now[i] = Matrix<Real100>::Zero(2, 2);
  form.next[0] << 1, 0, -1, 1;
  form.next[1](0, 0) = form.next[1](1, 0) = form.next[2](1, 0) = half;
  form.now[0] << 1, 1, -1, 0;
  form.now[1](0, 0) = form.now[1](1, 0) = half;
  form.now[2](0, 0) = -half;
  return form;
}

}  // namespace

// Velocities of SHAKE are no sums over stages.
MethodForm LobattoPairMethod::form() const {
  if (pair_.last == LastConstraint::next_positions) return two_stages_on_oscillator();
  PairForm form{pair_.A, pair_.conjugate, pair_.b};
  if (pair_.stages() == 2) form.on_oscillator = two_stages_on_oscillator();
  return form;
}

std::vector<Method::Coefficient> LobattoPairMethod::coefficients() const {
  return {{"a", "Lobatto IIIA, of positions", pair_.A},
          {"â", "Lobatto IIIB, of velocities", pair_.conjugate},
          {"b", "weights", pair_.b}};
}

PredictedOrders LobattoPairMethod::predicted_orders(const FormulationTraits& formulation,
                                                    const FormOrders& orders) const {
  if (pair_.last == LastConstraint::velocities && orders.dae) return Method::predicted_orders(formulation, orders);
  if (formulation.imposes_only(Level::position) && !formulation.stabilized)
    return PredictedOrders::everywhere(2 * static_cast<int>(pair_.stages()) - 2,
                                       source_ + "; a and lambda as functions of (q, v)");
  return PredictedOrders::unknown("it imposes the levels of the constraints itself, on index-3");
}

}  // namespace daelab
