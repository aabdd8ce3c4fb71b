#include "analysis/predicted_order.hpp"

#include "analysis/multistep.hpp"
#include "analysis/oscillator.hpp"

namespace daelab {
namespace {

FormOrders orders_of(const NoForm&, const OrderReport*) { return {}; }

FormOrders orders_of(const Tableau&, const OrderReport* conditions) {
  FormOrders orders;
  orders.order = conditions->order, orders.quadrature_order = conditions->quadrature_order;
  orders.C = conditions->C, orders.D = conditions->D;
  return orders;
}

FormOrders orders_of(const MultistepForm& form, const OrderReport*) {
  FormOrders orders;
  orders.order = multistep_order(form).order;
  orders.zero_stable = zero_stable(form).holds;
  if (form.start) orders.start_order = order_report(*form.start).order;
  return orders;
}

FormOrders orders_of(const OscillatorForm& form, const OrderReport*) {
  FormOrders orders;
  orders.order = oscillator_order(form);
  orders.unstable_at_infinite_frequency = Oscillator::of(form)->rho_infinity() > 1 + 1e-9;
  return orders;
}

}  // namespace

FormOrders form_orders(const MethodForm& form, const OrderReport* conditions) {
  return std::visit([&](const auto& alternative) { return orders_of(alternative, conditions); }, form);
}

PredictedOrders predicted_orders(const Method& method, const FormulationTraits& formulation, const FormOrders& orders) {
  if (formulation.without_orders != nullptr) return PredictedOrders::unknown(formulation.without_orders);
  PredictedOrders predicted = method.predicted_orders(formulation, orders);
  if (!formulation.multipliers) predicted.lambda.reset();
  return predicted;
}

PredictedOrders predicted_orders(const Method& method, const FormulationTraits& formulation) {
  const MethodForm form = method.form();
  const auto* tableau = std::get_if<Tableau>(&form);
  const OrderReport conditions = tableau ? order_report(*tableau) : OrderReport{};
  return predicted_orders(method, formulation, form_orders(form, &conditions));
}

std::optional<int> counted_order_of_q(const Method& method, const FormulationTraits& formulation) {
  const MethodForm form = method.form();
  const auto* tableau = std::get_if<Tableau>(&form);
  if (tableau == nullptr || !tableau->is_explicit() || tableau->claimed_order == 0)
    return predicted_orders(method, formulation).q;
  FormOrders orders;
  orders.order = tableau->claimed_order;
  return predicted_orders(method, formulation, orders).q;
}

}  // namespace daelab
