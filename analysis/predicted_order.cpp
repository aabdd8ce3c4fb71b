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

// Or stabilised to less, by equations that an index-2 system has.
bool is_of_index_two(const FormulationTraits& formulation) { return !formulation.state_space && formulation.index < 3; }

}  // namespace

const OrderReport& FormAnalysis::conditions() {
  if (!conditions_) conditions_ = order_report(*tableau());
  return *conditions_;
}

const FormOrders& FormAnalysis::orders() {
  const OrderReport* of_tableau = tableau() != nullptr ? &conditions() : nullptr;
  if (!orders_)
    orders_ = std::visit([&](const auto& alternative) { return orders_of(alternative, of_tableau); }, form_);
  return *orders_;
}

const std::vector<DaeOrders>& FormAnalysis::dae_orders() {
  if (!dae_orders_)
    dae_orders_ = tableau() != nullptr ? daelab::dae_orders(*tableau(), conditions()) : std::vector<DaeOrders>{};
  return *dae_orders_;
}

PredictedOrders predicted_orders(const Method& method, const FormulationTraits& formulation, FormAnalysis& analysis) {
  if (formulation.without_orders != nullptr) return PredictedOrders::unknown(formulation.without_orders);
  FormOrders orders = analysis.orders();
  if (is_of_index_two(formulation))
    for (const DaeOrders& found : analysis.dae_orders())
      if (found.index == 2 && !found.half_explicit && found.y)
        orders.index_two = {*found.y, found.z, "order conditions of general systems: " + found.how};
  PredictedOrders predicted = method.predicted_orders(formulation, orders);
  if (!formulation.multipliers) predicted.lambda.reset();
  return predicted;
}

PredictedOrders predicted_orders(const Method& method, const FormulationTraits& formulation) {
  FormAnalysis analysis(method);
  return predicted_orders(method, formulation, analysis);
}

std::optional<int> counted_order_of_q(const Method& method, const FormulationTraits& formulation) {
  const MethodForm form = method.form();
  const auto* tableau = std::get_if<Tableau>(&form);
  if (tableau == nullptr || !tableau->is_explicit() || tableau->claimed_order == 0 ||
      formulation.without_orders != nullptr)
    return predicted_orders(method, formulation).q;
  FormOrders orders;
  orders.order = tableau->claimed_order;
  return method.predicted_orders(formulation, orders).q;
}

}  // namespace daelab
