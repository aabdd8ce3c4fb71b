#include "core/integration/method_form.hpp"

namespace daelab {

std::optional<MethodForm> linear_form(const MethodForm& form) {
  if (const auto* rosenbrock = std::get_if<RosenbrockTableau>(&form)) return rosenbrock->on_linear_equations();
  if (const auto* nystrom = std::get_if<NystromTableau>(&form))
    return NoForm{nystrom->pair ? "a partitioned Runge-Kutta method: q and v have a tableau each"
                                : "a Nyström method: its tableau is one for q'' = f"};
  const auto* pair = std::get_if<PairForm>(&form);
  if (pair == nullptr) return {};
  if (pair->on_oscillator) return *pair->on_oscillator;
  return NoForm{
      "a partitioned method, which is no tableau, and on the oscillator its steps are polynomials of higher degree "
      "than one-step forms of second-order systems have"};
}

}  // namespace daelab
