// Predicted orders of a method on a formulation: the method predicts them from what analysis finds out about its form.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "analysis/dae_orders.hpp"
#include "analysis/order_conditions.hpp"
#include "analysis/pair_orders.hpp"
#include "analysis/rosenbrock_orders.hpp"
#include "core/integration/method.hpp"

namespace daelab {

/// The analysis of a method's form. Each part is computed when it is first asked for.
class FormAnalysis {
 public:
  explicit FormAnalysis(MethodForm form) : form_(std::move(form)) {}
  explicit FormAnalysis(const Method& method) : form_(method.form()) {}

  const MethodForm& form() const { return form_; }
  /// Null unless the form is a tableau.
  const Tableau* tableau() const { return std::get_if<Tableau>(&form_); }
  const OrderReport& conditions();          // of the tableau
  const RosenbrockOrders& of_rosenbrock();  // of a Rosenbrock tableau
  const PairOrders& of_pair();              // of a pair
  const FormOrders& orders();
  const std::vector<DaeOrders>& dae_orders();  // of tableaus and pairs; empty for other forms

 private:
  MethodForm form_;
  std::optional<OrderReport> conditions_;
  std::optional<RosenbrockOrders> of_rosenbrock_;
  std::optional<PairOrders> of_pair_;
  std::optional<FormOrders> orders_;
  std::optional<std::vector<DaeOrders>> dae_orders_;
};

/// For a method with fixed steps on a formulation: what the method says, or else its order conditions on index 2. Forms
/// without multipliers get no order of lambda.
PredictedOrders predicted_orders(const Method& method, const FormulationTraits& formulation, FormAnalysis& analysis);
PredictedOrders predicted_orders(const Method& method, const FormulationTraits& formulation);

/// Of q, for a run that must not take longer for its order than for its steps: of an explicit or a Rosenbrock tableau
/// the claimed order stands for the one that its conditions give, which was checked not to be lower when the tableau
/// was read.
std::optional<int> counted_order_of_q(const Method& method, const FormulationTraits& formulation);

}  // namespace daelab
