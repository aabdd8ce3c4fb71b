#include "analysis/predicted_order.hpp"

#include "analysis/multistep.hpp"
#include "analysis/oscillator.hpp"

namespace daelab {
namespace {

FormOrders orders_of(const NoForm&, FormAnalysis&) { return {}; }

FormOrders orders_of(const Tableau&, FormAnalysis& analysis) {
  const OrderReport& conditions = analysis.conditions();
  FormOrders orders;
  orders.order = conditions.order, orders.quadrature_order = conditions.quadrature_order;
  orders.C = conditions.C, orders.D = conditions.D;
  return orders;
}

FormOrders orders_of(const RosenbrockTableau&, FormAnalysis& analysis) {
  FormOrders orders;
  orders.order = analysis.of_rosenbrock().ordinary;
  return orders;
}

FormOrders orders_of(const NystromTableau& tableau, FormAnalysis&) {
  FormOrders orders;
  orders.order = tableau.order;
  return orders;
}

FormOrders orders_of(const PairForm&, FormAnalysis& analysis) {
  FormOrders orders;
  orders.order = analysis.of_pair().order;
  return orders;
}

FormOrders orders_of(const MultistepForm& form, FormAnalysis&) {
  FormOrders orders;
  orders.order = multistep_order(form).order;
  orders.zero_stable = zero_stable(form).holds;
  if (form.start) orders.start_order = order_report(*form.start).order;
  return orders;
}

FormOrders orders_of(const OscillatorForm& form, FormAnalysis&) {
  FormOrders orders;
  orders.order = oscillator_order(form);
  orders.unstable_at_infinite_frequency = Oscillator::of(form)->rho_infinity() > 1 + 1e-9;
  return orders;
}

// Tells whether orders are those on the class of systems that the formulation makes of a problem; stabilised to less,
// it has equations that an index-2 system has. Mechanisms are linear in their multipliers.
bool is_of_class(const DaeOrders& found, const FormulationTraits& formulation) {
  if (found.half_explicit || !found.y) return false;
  if (formulation.index == 3) return found.index == 3 && (formulation.of_mechanisms || !found.linear_in_u);
  return found.index == (formulation.of_mechanisms || formulation.index == 2 ? 2 : 1);
}

}  // namespace

const OrderReport& FormAnalysis::conditions() {
  if (!conditions_) conditions_ = order_report(*tableau());
  return *conditions_;
}

const RosenbrockOrders& FormAnalysis::of_rosenbrock() {
  if (!of_rosenbrock_) of_rosenbrock_ = rosenbrock_orders(std::get<RosenbrockTableau>(form_), false);
  return *of_rosenbrock_;
}

const PairOrders& FormAnalysis::of_pair() {
  if (!of_pair_) of_pair_ = pair_orders(std::get<PairForm>(form_));
  return *of_pair_;
}

const FormOrders& FormAnalysis::orders() {
  if (!orders_) orders_ = std::visit([&](const auto& alternative) { return orders_of(alternative, *this); }, form_);
  return *orders_;
}

const std::vector<DaeOrders>& FormAnalysis::dae_orders() {
  if (dae_orders_) return *dae_orders_;
  dae_orders_.emplace();
  if (tableau() != nullptr) dae_orders_ = daelab::dae_orders(*tableau(), conditions());
  if (const auto* rosenbrock = std::get_if<RosenbrockTableau>(&form_))
    dae_orders_ = daelab::dae_orders(*rosenbrock, of_rosenbrock());
  if (std::holds_alternative<PairForm>(form_)) dae_orders_ = {dae_orders_of(of_pair())};
  return *dae_orders_;
}

PredictedOrders predicted_orders(const Method& method, const FormulationTraits& formulation, FormAnalysis& analysis) {
  if (formulation.without_orders != nullptr) return PredictedOrders::unknown(formulation.without_orders);
  FormOrders orders = analysis.orders();
  if (!formulation.state_space)
    for (const DaeOrders& found : analysis.dae_orders())
      if (is_of_class(found, formulation)) orders.dae = {*found.y, found.z, found.u, found.how};
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
  if (formulation.without_orders != nullptr) return predicted_orders(method, formulation).q;
  FormOrders orders;
  if (const auto* tableau = std::get_if<Tableau>(&form); tableau != nullptr && tableau->is_explicit())
    orders.order = tableau->claimed_order;
  if (const auto* rosenbrock = std::get_if<RosenbrockTableau>(&form); rosenbrock != nullptr && formulation.index < 2) {
    orders.order = rosenbrock->order;
    orders.dae = {rosenbrock->index_1_order, rosenbrock->index_1_order, {}, "claimed"};
  }
  return orders.order == 0 ? predicted_orders(method, formulation).q : method.predicted_orders(formulation, orders).q;
}

}  // namespace daelab
