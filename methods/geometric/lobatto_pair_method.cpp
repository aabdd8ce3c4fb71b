#include "methods/geometric/lobatto_pair_method.hpp"

namespace daelab {

// Two stages on the oscillator, u = h V: (1 + delta/2) u = w_n - kappa/2 q_n, q_(n+1) = q_n + u,
// w_(n+1) = (1 - delta/2) u - kappa/2 q_(n+1), w = h v.
MethodForm LobattoPairMethod::form() const {
  if (pair_.stages() > 2)
    return NoForm{
        "a partitioned method, which is no tableau, and on the oscillator its steps are polynomials of "
        "higher degree than one-step forms of second-order systems have"};
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

std::vector<Method::Coefficient> LobattoPairMethod::coefficients() const {
  return {{"a", "Lobatto IIIA, of positions", pair_.A},
          {"â", "Lobatto IIIB, of velocities", pair_.conjugate},
          {"b", "weights", pair_.b}};
}

PredictedOrders LobattoPairMethod::predicted_orders(const FormulationTraits& formulation,
                                                    const FormOrders& /*orders*/) const {
  if (formulation.imposes_only(Level::position) && !formulation.stabilized)
    return PredictedOrders::everywhere(2 * static_cast<int>(pair_.stages()) - 2,
                                       source_ + "; a and lambda as functions of (q, v)");
  return PredictedOrders::unknown("it imposes the levels of the constraints itself, on index-3");
}

}  // namespace daelab
