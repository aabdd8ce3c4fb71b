// Predicted orders of a method on a formulation: the method predicts them from what analysis finds out about its form.
#pragma once

#include "analysis/order_conditions.hpp"
#include "core/integration/method.hpp"

namespace daelab {

/// With the order conditions of the tableau at hand; null for other forms.
FormOrders form_orders(const MethodForm& form, const OrderReport* conditions);

/// For a method with fixed steps on a formulation. Forms without multipliers get no order of
/// lambda.
PredictedOrders predicted_orders(const Method& method, const FormulationTraits& formulation, const FormOrders& orders);

/// The same where the orders of the form are not at hand.
PredictedOrders predicted_orders(const Method& method, const FormulationTraits& formulation);

/// Of q, for a run that must not take longer for its order than for its steps: of an explicit tableau the claimed order
/// stands for the one that its conditions give, which was checked not to be lower when the tableau was read.
std::optional<int> counted_order_of_q(const Method& method, const FormulationTraits& formulation);

}  // namespace daelab
