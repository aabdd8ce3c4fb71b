// Ordinary differential equations, and differential-algebraic ones of index 1 in explicit form, as they are.
#include "core/equations/first_order_system.hpp"
#include "core/equations/formulation.hpp"

namespace daelab {
namespace {

struct Ode {
  static constexpr const char* name = "ode";
  static constexpr const char* summary =
      "y' = f(t, y), or y' = f and 0 = g: problems without coordinates, which have no other form.";
  static constexpr const char* source = "Hairer, Wanner, Solving Ordinary Differential Equations II, eq. (VI.1.5)";

  Options options() { return {}; }

  template <class T>
  std::unique_ptr<System<T>> system(OrdinaryModel<T>& model, Multipliers<T>& /*multipliers*/) const {
    return std::make_unique<FirstOrderSystem<T>>(model);
  }
};
const FormulationEntry<Ode> ode_entry;

}  // namespace
}  // namespace daelab
