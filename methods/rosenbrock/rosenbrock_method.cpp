#include "methods/rosenbrock/rosenbrock_method.hpp"

#include <cmath>

namespace daelab {
namespace {

template <class T>
std::unique_ptr<Stepper<T>> make_stepper(const std::shared_ptr<const PreparedRosenbrock>& prepared, System<T>& system) {
  auto stepper = make_rosenbrock_stepper<T>(prepared, system);
  const auto digits = static_cast<int>(std::lround(-std::log10(static_cast<double>(epsilon<T>()))));
  const std::string text = coefficient_warning(prepared->tableau().on_linear_equations(), digits);
  if (!text.empty()) stepper->warn("coefficient-digits", text);
  return stepper;
}

}  // namespace

MethodForm RosenbrockMethod::form() const {
  return NoForm{"a Rosenbrock method: on nonlinear equations no Runge-Kutta tableau has its weights"};
}

DenseOrder RosenbrockMethod::dense_order() const {
  DenseOrder order;
  if (tableau().dense_output.rows() == 0) return order;
  order.y = tableau().dense_order;
  order.how =
      "the polynomial of the tableau in y; of mechanisms the quintic Hermite polynomial through (q, v, a) at both ends";
  return order;
}

std::vector<Method::Coefficient> RosenbrockMethod::coefficients() const {
  const RosenbrockTableau& t = tableau();
  std::vector<Coefficient> all{{"alpha", "coefficients of increments in the arguments of f", t.alpha},
                               {"gamma", "coefficients of increments times the Jacobian", t.gamma},
                               {"b", "weights", t.b}};
  if (t.b_embedded.size() > 0) all.push_back({"b_embedded", "weights of the embedded method", t.b_embedded});
  return all;
}

PredictedOrders RosenbrockMethod::predicted_orders(const FormulationTraits& formulation,
                                                   const FormOrders& /*orders*/) const {
  const RosenbrockTableau& t = tableau();
  if (formulation.index == 3) return PredictedOrders::unknown("refused on index 3, where orders are 1");
  if (formulation.index == 2)
    return PredictedOrders::unknown("no theorem for this form: measured orders are 2, of rodas5p 3");
  if (formulation.of_mechanisms || formulation.index == 0) {
    if (t.order == 0) return PredictedOrders::unknown("the tableau claims no order");
    return PredictedOrders::everywhere(t.order,
                                       "order of the tableau on y' = f(t, y): a, lambda are functions of (q, v)");
  }
  if (t.index_1_order == 0) return PredictedOrders::unknown("the tableau claims no order on index 1");
  return PredictedOrders::everywhere(t.index_1_order, "HW96, Sec. VI.4: trees of index 1 (Roche 1988)");
}

#define DAELAB_INSTANTIATE(T)                                                                            \
  std::unique_ptr<Stepper<T>> RosenbrockMethod::stepper(System<T>& system, const NewtonOptions&) const { \
    return make_stepper<T>(tableau_, system);                                                            \
  }
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
