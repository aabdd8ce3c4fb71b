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

MethodForm RosenbrockMethod::form() const { return tableau(); }

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

#define DAELAB_INSTANTIATE(T)                                                                            \
  std::unique_ptr<Stepper<T>> RosenbrockMethod::stepper(System<T>& system, const NewtonOptions&) const { \
    return make_stepper<T>(tableau_, system);                                                            \
  }
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
